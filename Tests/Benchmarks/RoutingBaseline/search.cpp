#include "RoutingBaseline.h"

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace {

struct Arc {
    int32_t head;
    int32_t edge;
};

struct Label {
    double g = std::numeric_limits<double>::infinity();
    double h = 0;
    int32_t arc = -1;
    uint32_t stamp = 0;
};

struct Entry {
    double key;
    int32_t node;

    bool operator<(const Entry &other) const { return key < other.key || (key == other.key && node < other.node); }
};

/// A 4-ary heap.
class Heap {
    std::vector<Entry> entries;

public:
    bool empty() const { return entries.empty(); }
    double least() const { return entries.front().key; }
    void clear() { entries.clear(); }

    void push(Entry entry) {
        size_t hole = entries.size();
        entries.push_back(entry);
        while (hole > 0) {
            const size_t parent = (hole - 1) / 4;
            if (!(entry < entries[parent])) break;
            entries[hole] = entries[parent];
            hole = parent;
        }
        entries[hole] = entry;
    }

    Entry pop() {
        const Entry top = entries.front();
        const Entry last = entries.back();
        entries.pop_back();
        if (entries.empty()) return top;
        size_t hole = 0;
        const size_t count = entries.size();
        for (;;) {
            const size_t first = hole * 4 + 1;
            if (first >= count) break;
            size_t least = first;
            const size_t end = first + 4 < count ? first + 4 : count;
            for (size_t child = first + 1; child < end; ++child)
                if (entries[child] < entries[least]) least = child;
            if (!(entries[least] < last)) break;
            entries[hole] = entries[least];
            hole = least;
        }
        entries[hole] = last;
        return top;
    }
};

}  // namespace

struct baseline_search {
    const int32_t *first_arc;
    const Arc *arcs;
    const double *costs;
    const double *space;
    double least;
    std::vector<Label> labels;
    Heap heap;
    uint32_t stamp = 0;

    double estimate(int32_t node, int32_t to) const {
        const double x = space[3 * node] - space[3 * to];
        const double y = space[3 * node + 1] - space[3 * to + 1];
        const double z = space[3 * node + 2] - space[3 * to + 2];
        return std::sqrt(x * x + y * y + z * z) * least;
    }
};

baseline_search *baseline_make(
    size_t nodes, const int32_t *first_arc, const void *arcs, const double *costs, const double *space, double least) {
    return new baseline_search{
        first_arc, static_cast<const Arc *>(arcs), costs, space, least, std::vector<Label>(nodes), {}, 0};
}

void baseline_free(baseline_search *search) { delete search; }

double baseline_run(baseline_search *search, int32_t from, int32_t to, size_t *settled) {
    auto &s = *search;
    s.stamp += 2;
    s.heap.clear();
    double best = std::numeric_limits<double>::infinity();
    s.labels[from] = {0, s.estimate(from, to), -1, s.stamp};
    s.heap.push({s.labels[from].h, from});
    while (!s.heap.empty() && s.heap.least() < best) {
        const int32_t node = s.heap.pop().node;
        Label &label = s.labels[node];
        if (label.stamp != s.stamp) continue;
        label.stamp = s.stamp + 1;
        ++*settled;
        if (node == to && label.g < best) best = label.g;
        for (int32_t index = s.first_arc[node]; index < s.first_arc[node + 1]; ++index) {
            const int32_t head = s.arcs[index].head;
            const double cost = label.g + s.costs[index];
            Label &next = s.labels[head];
            if (next.stamp - s.stamp > 1) {
                if (cost == std::numeric_limits<double>::infinity()) continue;
                next = {cost, s.estimate(head, to), index, s.stamp};
                s.heap.push({cost + next.h, head});
            } else if (next.stamp == s.stamp && cost < next.g) {
                next.g = cost;
                next.arc = index;
                s.heap.push({cost + next.h, head});
            }
        }
    }
    return best;
}
