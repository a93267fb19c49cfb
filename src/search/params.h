// SPDX-License-Identifier: GPL-3.0-or-later
// Every number of the search and a switch for every technique. One row each: name, default for the game of
// column 0, default for the game of column 1 (PARAM_COLUMN says which this build is), least and greatest
// value. A release build sees constants; a build with TUNE has them as fields of the engine, and as protocol
// options. Rows that begin with Use are switches: 1 on, 0 off. Margins are centipawns, reductions 1024ths of
// a ply.
#ifndef TWOFOLD_PARAMS_H
#define TWOFOLD_PARAMS_H

#include "game.h"

#define SEARCH_PARAMS(X)                                   \
    /* frame */                                            \
    X(UseAspiration, 1, 1, 0, 1)                           \
    X(AspirationDepth, 4, 4, 1, 20)                        \
    X(AspirationStart, 10, 20, 1, 200)                     \
    X(AspirationVariance, 12000, 12000, 500, 100000)       \
    X(AspirationSpread, 25, 25, 0, 200)                    \
    X(AspirationStartMax, 200, 200, 20, 1000)              \
    X(AspirationGrowth, 40, 40, 5, 300)                    \
    X(AspirationMax, 800, 800, 50, 4000)                   \
    X(AspirationScoreMax, 7876, 7876, 500, 30000)          \
    X(AspirationReduction, 3, 3, 0, 6)                     \
    X(SpreadCap, 400, 400, 50, 2000)                       \
    X(SpreadMemory, 2, 2, 0, 20)                           \
    X(UseMateDistance, 1, 1, 0, 1)                         \
    X(UseUpcomingRepetition, 1, 1, 0, 1)                   \
    X(UseInstantWin, 1, 1, 0, 1)                           \
    X(UseMateSolver, 1, 1, 0, 1)                           \
    X(SolverRootNodes, 10000, 10000, 100, 1000000)         \
    X(SolverRootRate, 12, 12, 0, 100000)                   \
    X(SolverLineNodes, 400, 400, 10, 100000)               \
    X(SolverLinePlies, 8, 8, 1, 16)                        \
    X(SolverLineShare, 32, 32, 1, 1000)                    \
    X(SolverProofDepth, 100, 100, 1, 120)                  \
    X(SolverSmallSearch, 20000, 20000, 0, 1000000)         \
    X(UseTt, 1, 1, 0, 1)                                   \
    X(UseTtEqualDepth, 0, 0, 0, 1)                         \
    X(TtKeepDepth, 4, 4, 0, 16)                            \
    X(TtKeepPv, 2, 2, 0, 8)                                \
    X(TtAgeWeight, 8, 8, 0, 32)                            \
    X(TbExtraDepth, 6, 6, 0, 20)                           \
    X(InheritPvDepth, 3, 3, 0, 20)                         \
    X(DominantScore, 4000, 4000, 500, 20000)               \
    X(UseCorrection, 1, 1, 0, 1)                           \
    X(CorrectionPawn, 96, 96, 0, 512)                      \
    X(CorrectionOther, 80, 80, 0, 512)                     \
    X(CorrectionContinuation, 80, 80, 0, 512)              \
    X(CorrectionRate, 8, 8, 1, 64)                         \
    X(CorrectionStep, 256, 256, 8, 1024)                   \
    /* pruning before the moves */                         \
    X(UseHindsight, 1, 1, 0, 1)                            \
    X(HindsightDeeper, 3, 3, 1, 8)                         \
    X(HindsightDeeperMargin, 22, 45, 0, 400)               \
    X(HindsightShallower, 1, 1, 1, 8)                      \
    X(HindsightDepth, 2, 2, 2, 12)                         \
    X(HindsightMargin, 90, 191, 0, 800)                    \
    X(UseHindsightReversed, 0, 0, 0, 1)                    \
    X(UseRazoring, 1, 1, 0, 1)                             \
    X(RazorDepth, 4, 4, 1, 10)                             \
    X(RazorBase, 220, 309, 0, 2000)                        \
    X(RazorSlope, 140, 577, 0, 1500)                       \
    X(UseReverseFutility, 1, 1, 0, 1)                      \
    X(ReverseFutilityDepth, 9, 9, 1, 20)                   \
    X(ReverseFutilityMargin, 78, 108, 10, 500)             \
    X(ReverseFutilityImproving, 60, 25, 0, 500)            \
    X(ReverseFutilityFloor, 20, 20, 0, 200)                \
    X(ReverseFutilityDivisor, 3, 3, 1, 16)                 \
    X(UseNullMove, 1, 1, 0, 1)                             \
    X(NullDepth, 3, 3, 1, 8)                               \
    X(NullBase, 4, 4, 1, 8)                                \
    X(NullDepthDivisor, 3, 3, 1, 8)                        \
    X(NullEvalDivisor, 180, 603, 20, 1500)                 \
    X(NullEvalMax, 3, 3, 0, 8)                             \
    X(NullMarginBase, 120, 351, -500, 1000)                \
    X(NullMarginDepth, 14, 8, 0, 200)                      \
    X(NullVerifyDepth, 14, 14, 4, 64)                      \
    X(NullVerifyShare, 75, 75, 0, 100)                     \
    X(UseNullCutNode, 0, 0, 0, 1)                          \
    X(UseIir, 1, 1, 0, 1)                                  \
    X(IirDepth, 4, 4, 1, 12)                               \
    X(IirReduction, 1, 1, 1, 3)                            \
    X(UseIid, 0, 0, 0, 1)                                  \
    X(IidDepth, 7, 7, 3, 20)                               \
    X(IidReduction, 4, 4, 1, 8)                            \
    X(UseProbCut, 1, 1, 0, 1)                              \
    X(ProbCutDepth, 5, 5, 3, 12)                           \
    X(ProbCutReduction, 4, 4, 2, 8)                        \
    X(ProbCutMargin, 170, 340, 20, 1000)                   \
    X(ProbCutImproving, 50, 90, 0, 400)                    \
    X(UseTtProbCut, 1, 1, 0, 1)                            \
    X(TtProbCutMargin, 350, 600, 50, 2000)                 \
    X(TtProbCutDepth, 4, 4, 0, 10)                         \
    /* pruning of moves */                                 \
    X(UseLateMovePruning, 1, 1, 0, 1)                      \
    X(LateMoveBase, 4, 4, 1, 20)                           \
    X(LateMoveNotImproving, 50, 70, 10, 100)               \
    X(UseFutility, 1, 1, 0, 1)                             \
    X(FutilityDepth, 9, 9, 1, 20)                          \
    X(FutilityBase, 95, 285, 0, 1000)                      \
    X(FutilityMargin, 80, 190, 0, 600)                     \
    X(FutilityHistory, 8192, 8192, 512, 65536)             \
    X(UseCaptureFutility, 1, 1, 0, 1)                      \
    X(CaptureFutilityDepth, 7, 7, 1, 20)                   \
    X(CaptureFutilityBase, 170, 199, 0, 1000)              \
    X(CaptureFutilityMargin, 170, 51, 0, 1000)             \
    X(UseHistoryPruning, 1, 1, 0, 1)                       \
    X(HistoryPruningDepth, 5, 5, 1, 12)                    \
    X(HistoryPruningMargin, 4000, 3719, 500, 20000)        \
    X(UseSeePruning, 1, 1, 0, 1)                           \
    X(SeeQuietMargin, 22, 14, 1, 200)                      \
    X(SeeNoisyMargin, 95, 232, 1, 500)                     \
    /* extensions */                                       \
    X(UseSingular, 1, 1, 0, 1)                             \
    X(SingularDepth, 6, 6, 4, 16)                          \
    X(SingularTtDepth, 3, 3, 0, 8)                         \
    X(SingularShare, 50, 50, 20, 90)                       \
    X(SingularMargin, 16, 36, 0, 100)                      \
    X(SingularDouble, 14, 14, 0, 200)                      \
    X(SingularTriple, 90, 160, 0, 600)                     \
    X(UseMultiCut, 1, 1, 0, 1)                             \
    X(UseNegativeExtension, 1, 1, 0, 1)                    \
    X(NegativeTt, 3, 3, 0, 6)                              \
    X(NegativeCut, 2, 2, 0, 6)                             \
    X(UseCheckExtension, 0, 0, 0, 1)                       \
    X(UseRecaptureExtension, 0, 0, 0, 1)                   \
    X(RecaptureHistory, 2048, 2048, -8192, 8192)           \
    X(UseAdvanceExtension, 0, 0, 0, 1)                     \
    X(ExtensionLineMax, 16, 16, 1, 64)                     \
    X(ExtensionRootFactor, 2, 2, 1, 8)                     \
    /* reductions */                                       \
    X(UseLmr, 1, 1, 0, 1)                                  \
    X(LmrDepth, 2, 2, 1, 6)                                \
    X(LmrMoves, 1, 1, 1, 6)                                \
    X(LmrBase, 700, 765, 0, 2048)                          \
    X(LmrDivisor, 215, 273, 100, 500)                      \
    X(LmrNotImproving, 512, 821, 0, 2048)                  \
    X(UseLmrScaled, 0, 0, 0, 1)                            \
    X(LmrScale, 125, 125, 100, 300)                        \
    X(LmrTtPv, 1100, 466, 0, 3000)                         \
    X(LmrPv, 800, 1056, 0, 3000)                           \
    X(LmrCutNode, 1700, 2186, 0, 4000)                     \
    X(LmrTtNoisy, 900, 1387, 0, 3000)                      \
    X(LmrCutoffs, 900, 1108, 0, 3000)                      \
    X(LmrCutoffNb, 3, 3, 0, 10)                            \
    X(LmrCheck, 700, 700, 0, 3000)                         \
    X(LmrKiller, 900, 1207, 0, 3000)                       \
    X(LmrNoisy, 600, 600, 0, 3000)                         \
    X(LmrHistory, 110, 107, 0, 500)                        \
    X(LmrCorrection, 60, 40, 0, 500)                       \
    X(UseRaisedReduction, 1, 1, 0, 1)                      \
    X(RaisedDepthMin, 2, 2, 1, 8)                          \
    X(RaisedDepthMax, 12, 12, 4, 64)                       \
    X(RaisedReduction, 1, 1, 1, 3)                         \
    X(UseRaisedStore, 1, 1, 0, 1)                          \
    X(UseCutoffBlend, 1, 1, 0, 1)                          \
    X(UseDeeperShallower, 1, 1, 0, 1)                      \
    X(DeeperMargin, 40, 60, 0, 300)                        \
    X(DeeperSlope, 2, 2, 0, 16)                            \
    X(ShallowerMargin, 8, 12, 0, 100)                      \
    /* ordering */                                         \
    X(UseKillers, 1, 1, 0, 1)                              \
    X(UseCounterMove, 1, 1, 0, 1)                          \
    X(UseButterfly, 1, 1, 0, 1)                            \
    X(UsePieceTo, 1, 1, 0, 1)                              \
    X(UseContinuation, 1, 1, 0, 1)                         \
    X(UsePawnHistory, 1, 1, 0, 1)                          \
    X(UseLowPly, 1, 1, 0, 1)                               \
    X(UseCaptureHistory, 1, 1, 0, 1)                       \
    X(UsePrior, 0, 0, 0, 1)                                \
    X(UseBadNoisyFirst, 0, 0, 0, 1)                        \
    X(UseBadNoisyBySee, 0, 0, 0, 1)                        \
    X(UseAgeing, 1, 1, 0, 1)                               \
    X(UseExcludedReward, 1, 1, 0, 1)                       \
    X(UseEvalHistory, 0, 0, 0, 1)                          \
    X(EvalHistoryScale, 4, 4, 1, 64)                       \
    X(EvalHistoryMax, 600, 600, 10, 4000)                  \
    X(UseResearchFeedback, 0, 0, 0, 1)                     \
    X(UseThreatHistory, 0, 0, 0, 1)                        \
    X(UseContinuationKinds, 0, 0, 0, 1)                    \
    X(PriorWeight, 20, 20, 0, 200)                         \
    X(PieceToWeight, 50, 50, 0, 400)                       \
    X(Continuation4Weight, 50, 50, 0, 400)                 \
    X(Continuation6Weight, 50, 50, 0, 400)                 \
    X(LowPlyWeight, 4, 4, 0, 32)                           \
    X(GainWeight, 16, 16, 1, 128)                          \
    X(AgeingShare, 75, 75, 0, 100)                         \
    X(RootNodesShare, 50, 50, 0, 100)                      \
    X(OrderCheckBonus, 8000, 8000, 0, 40000)               \
    X(OrderCheckSee, 75, 75, 0, 500)                       \
    X(GoodNoisySee, 18, 18, 1, 200)                        \
    X(BonusSlope, 150, 150, 10, 600)                       \
    X(BonusBase, -60, -60, -500, 500)                      \
    X(BonusMax, 1700, 1700, 200, 6000)                     \
    X(MalusSlope, 180, 180, 10, 600)                       \
    X(MalusBase, -50, -50, -500, 500)                      \
    X(MalusMax, 1500, 1500, 200, 6000)                     \
    X(PreviousBonusShare, 50, 50, 0, 200)                  \
    X(TtBonusShare, 50, 50, 0, 200)                        \
    /* quiescence: what the options do not cover */        \
    X(UseQuiescence, 1, 1, 0, 1)                           \
    X(UseQBlend, 0, 0, 0, 1)                               \
    X(UseQEvasionCap, 0, 0, 0, 1)                          \
    X(QEvasionCap, 2, 2, 0, 32)                            \
    X(QMoveCap, 3, 3, 1, 32)                               \
    X(QLatePly, 64, 64, 0, 64)                             \
    X(QLateCap, 2, 2, 1, 64)                               \
    X(QCheckCap, 64, 64, 1, 64)                            \
    X(QCheckPlies, 0, 1, 0, 4)                             \
    X(QDeltaMargin, 100, 100, 0, 2000)                     \
    X(QFutilityMargin, 200, 200, 0, 2000)                  \
    /* the clock: nodes between two looks at it */         \
    X(ClockNodes, 512, 512, 1, 65536)                      \
    /* threads */                                          \
    X(HelperSkipFrom, 3, 3, 1, 20)                         \
    X(HelperSkipEvery, 4, 4, 2, 16)                        \
    X(VoteBase, 14, 14, 1, 200)                            \
    X(PeerDepth, 6, 6, 1, 100)                             \
    /* time: the plan (moves, percent of what is there) */ \
    X(TimeMovesLeft, 40, 40, 5, 100)                       \
    X(TimeMovesLeftNoInc, 32, 32, 5, 100)                  \
    X(TimeMovesToGoMax, 50, 50, 5, 100)                    \
    X(TimeHardFactor, 5, 5, 1, 20)                         \
    X(TimeHardShare, 75, 75, 10, 95)                       \
    X(TimeLastMoveShare, 90, 90, 10, 100)                  \
    X(TimeEarlyStart, 70, 70, 10, 200)                     \
    X(TimeEarlySlope, 2, 2, 0, 20)                         \
    X(TimeEarlyMax, 110, 110, 10, 300)                     \
    X(TimeIncShare, 75, 75, 0, 100)                        \
    X(TimeByoyomiShare, 90, 90, 0, 100)                    \
    X(TimeByoyomiEdge, 120, 120, 100, 1000)                \
    X(TimeOverheadMoves, 3, 3, 0, 20)                      \
    X(TimeReserve, 120, 120, 0, 2000)                      \
    X(TimeReserveShare, 60, 60, 0, 90)                     \
    X(TimePonderShare, 25, 25, 0, 100)                     \
    /* time: how the soft limit moves, in percent */       \
    X(UseTimeStability, 1, 1, 0, 1)                        \
    X(TimeStableBase, 140, 140, 50, 300)                   \
    X(TimeStableStep, 11, 11, 0, 50)                       \
    X(TimeStableMax, 7, 7, 1, 20)                          \
    X(UseTimeFalling, 1, 1, 0, 1)                          \
    X(TimeFallingMin, 75, 75, 20, 100)                     \
    X(TimeFallingMax, 165, 165, 100, 400)                  \
    X(TimeFallingMemory, 2, 2, 0, 20)                      \
    X(UseTimeNodeShare, 1, 1, 0, 1)                        \
    X(TimeShareBase, 205, 205, 50, 400)                    \
    X(TimeShareSlope, 140, 140, 0, 400)                    \
    X(TimeShareMin, 65, 65, 10, 100)                       \
    X(TimeShareMax, 190, 190, 100, 400)                    \
    X(TimeFactorMin, 25, 25, 1, 100)                       \
    X(TimeFactorMax, 320, 320, 100, 1000)                  \
    X(TimeOneMoveDepth, 6, 6, 1, 30)                       \
    X(TimeMateExtraDepth, 6, 6, 0, 60)

typedef struct Params {
#define PARAM_FIELD(name, first, second, min, max) int name;
    SEARCH_PARAMS(PARAM_FIELD)
#undef PARAM_FIELD
} Params;

#define PARAM_CONSTANT(name, first, second, min, max) PARAM_##name = PARAM_COLUMN == 0 ? (first) : (second),
enum { SEARCH_PARAMS(PARAM_CONSTANT) };
#undef PARAM_CONSTANT

// The value of a parameter: a constant unless this build tunes. P is for whatever has a `params` pointer.
#ifdef TUNE
enum { PARAMS_VARY = 1 };
#define PARAM(params, name) ((params)->name)
#else
enum { PARAMS_VARY = 0 };
#define PARAM(params, name) ((void)sizeof(params), (int)PARAM_##name)
#endif
#define P(owner, name) PARAM((owner)->params, name)

Params params_default(void);

#endif
