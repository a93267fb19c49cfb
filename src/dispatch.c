// SPDX-License-Identifier: GPL-3.0-or-later
// The start of a program that holds itself several times, each time compiled for other processors
// (`make universal`): picks the best variant this processor runs, and becomes it. The list is ordered from
// the plainest to the best; a variant's name is that of its ARCH in the Makefile. Not part of any other
// program. Nothing here may be compiled for more than the plainest processor.
#include <cpuid.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#endif

// main of each variant, which the build has given these names.
#define ENTRY(name) int twofold_main_##name(int argc, char **argv)
ENTRY(x86_64);
ENTRY(x86_64_sse41);
ENTRY(x86_64_avx2);
ENTRY(x86_64_bmi2);

typedef struct Cpu {
    bool has_sse41, has_avx2, has_bmi2; // with what each of them goes along with in the Makefile
    bool is_pext_slow;
} Cpu;

typedef struct Variant {
    const char *name;
    int (*run)(int argc, char **argv);
} Variant;

static const Variant VARIANTS[] = {
    {"x86-64", twofold_main_x86_64},
    {"x86-64-sse41", twofold_main_x86_64_sse41},
    {"x86-64-avx2", twofold_main_x86_64_avx2},
    {"x86-64-bmi2", twofold_main_x86_64_bmi2},
};
enum { PLAIN, SSE41, AVX2, BMI2, VARIANT_NB };
_Static_assert(sizeof VARIANTS / sizeof VARIANTS[0] == VARIANT_NB, "a name for each");

// PEXT of AMD before Zen 3 (family 25), and of Hygon, which is Zen 1, is a loop of some hundred steps.
static bool is_pext_slow(void)
{
    unsigned eax, ebx, ecx, edx;
    char vendor[13] = {0};
    if (!__get_cpuid(0, &eax, &ebx, &ecx, &edx))
        return false;
    memcpy(vendor, &ebx, 4);
    memcpy(vendor + 4, &edx, 4);
    memcpy(vendor + 8, &ecx, 4);
    if (strcmp(vendor, "HygonGenuine") == 0)
        return true;
    if (strcmp(vendor, "AuthenticAMD") != 0 || !__get_cpuid(1, &eax, &ebx, &ecx, &edx))
        return false;
    unsigned family = eax >> 8 & 15;
    family += family == 15 ? eax >> 20 & 255 : 0;
    return family < 25;
}

// The compiler's own test knows whether the system keeps the wide registers too.
static Cpu look(void)
{
    unsigned eax, ebx, ecx = 0, edx;
    __builtin_cpu_init();
    bool has_lzcnt = __get_cpuid(0x80000001, &eax, &ebx, &ecx, &edx) && (ecx >> 5 & 1);
    Cpu cpu = {.has_sse41 = __builtin_cpu_supports("sse4.1") && __builtin_cpu_supports("popcnt")};
    cpu.has_avx2 =
        cpu.has_sse41 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && has_lzcnt;
    cpu.has_bmi2 = cpu.has_avx2 && __builtin_cpu_supports("bmi2");
    cpu.is_pext_slow = is_pext_slow();
    return cpu;
}

static bool can_run(const Cpu *cpu, int variant)
{
    const bool can[VARIANT_NB] = {true, cpu->has_sse41, cpu->has_avx2, cpu->has_bmi2};
    return can[variant];
}

static int best(const Cpu *cpu)
{
    int variant = VARIANT_NB - 1;
    while (!can_run(cpu, variant) || (variant == BMI2 && cpu->is_pext_slow))
        variant--;
    return variant;
}

// The variant that TWOFOLD_ARCH asks for; -1 after a sentence when there is none, or not for this processor.
static int forced(const Cpu *cpu, const char *name)
{
#ifdef _WIN32
    _setmode(_fileno(stderr), _O_BINARY); // lines end as in what the variants print
#endif
    for (int i = 0; i < VARIANT_NB; i++) {
        if (strcmp(name, VARIANTS[i].name) != 0)
            continue;
        if (can_run(cpu, i))
            return i;
        fprintf(stderr, "TWOFOLD_ARCH: this processor does not run '%s'; the best it runs is '%s'\n", name,
                VARIANTS[best(cpu)].name);
        return -1;
    }
    fprintf(stderr, "TWOFOLD_ARCH: there is no variant '%s'; there are", name);
    for (int i = 0; i < VARIANT_NB; i++)
        fprintf(stderr, "%s %s", i ? "," : "", VARIANTS[i].name);
    fputc('\n', stderr);
    return -1;
}

int main(int argc, char **argv)
{
    Cpu cpu = look();
    const char *name = getenv("TWOFOLD_ARCH");
    int variant = name && *name ? forced(&cpu, name) : best(&cpu);
    return variant < 0 ? 2 : VARIANTS[variant].run(argc, argv);
}
