"""Statistics of pairs: what one way solved and the other did not, on the same tasks and seeds."""

import math
import random


def mcnemar(gained, lost):
    """Two-sided exact p of as uneven a split of the pairs that differ (a sign test)."""
    n = gained + lost
    if n == 0:
        return 1.0
    tail = sum(math.comb(n, k) for k in range(min(gained, lost) + 1)) / 2**n
    return min(1.0, 2 * tail)


def bootstrap(pairs, resamples=10_000, seed=1, level=0.95):
    """Interval of the mean difference of (task, difference) pairs; whole tasks are drawn, since the
    runs of one task are alike."""
    by_task = {}
    for task, difference in pairs:
        by_task.setdefault(task, []).append(difference)
    groups = [(sum(differences), len(differences)) for differences in by_task.values()]
    if not groups:
        return math.nan, math.nan
    chance = random.Random(seed)
    means = []
    for _ in range(resamples):
        drawn = chance.choices(groups, k=len(groups))
        means.append(sum(total for total, _ in drawn) / sum(count for _, count in drawn))
    means.sort()
    cut = (1 - level) / 2
    return means[int(cut * resamples)], means[min(resamples - 1, int((1 - cut) * resamples))]


def compare(reference, other):
    """Both map (task, seed) to solved or not; only what both have counts."""
    common = sorted(reference.keys() & other.keys())
    differences = [(task, int(other[task, seed]) - int(reference[task, seed])) for task, seed in common]
    gained = sum(difference > 0 for _, difference in differences)
    lost = sum(difference < 0 for _, difference in differences)
    low, high = bootstrap(differences)
    mean = (gained - lost) / len(common) if common else math.nan
    return {"pairs": len(common), "gained": gained, "lost": lost, "p": mcnemar(gained, lost),
            "difference": mean, "low": low, "high": high}
