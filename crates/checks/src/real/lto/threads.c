#include <omp.h>
#include <stdio.h>

static int own;
#pragma omp threadprivate(own)

int on_target(int *all, int count);

int main(void)
{
    int all[1000], count = 0;
    long sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 1000; i++) {
        all[i] = i;
        own++;
        sum += i;
    }
#pragma omp parallel reduction(+ : count)
    count += own;
    printf("%ld %d %d\n", sum, count, on_target(all, 1000));
    return 0;
}
