// A region that a device would run, if there were one.
int on_target(int *all, int count)
{
    int sum = 0;
#pragma omp target teams distribute parallel for map(to : all[0 : count]) reduction(+ : sum)
    for (int i = 0; i < count; i++)
        sum += all[i] % 7;
    return sum;
}
