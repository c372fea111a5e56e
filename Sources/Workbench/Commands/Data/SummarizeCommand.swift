import PluginKit

/// `summarize AGGREGATE(FIELD) … [by KEY …]`
struct SummarizeCommand: CommandProvider {
    var name: String { "summarize" }

    var command: Command {
        Command(
            name, "compute aggregates, of all rows or of each group",
            details: """
                Aggregates: count() count(x) sum(x) min(x) max(x) mean(x) median(x) p95(x) (any from p1 to p99) \
                stddev(x) (of a sample, by n - 1) first(x) last(x) \
                list(x) unique(x), where x is a field or an expression. Rows that lack a value are skipped; without \
                any values the result is nothing, a count is 0, and the sum of no rows is 0. The mean of angles is taken \
                on the circle, and is nothing where it is undefined, as of two opposite bearings. Percentiles are interpolated. Keys are fields or \
                functions of fields: by category year(start). A column is named by `name=`, else by aggregate and field. Groups \
                come in order of first appearance. Rows are streamed; the groups, and the values of percentiles and lists, are \
                kept in memory.
                """,
            .positional("aggregates", .summary, "aggregates, then `by` and the keys"),
            input: .rows([]), output: .rows([]), effect: .pure,
            examples: [
                .init(
                    "by a field", "$huts | summarize count() mean(beds) by valley",
                    after: [DataCommands.huts],
                    gives: "valley  count  meanBeds\nMadriu      2        28\nOrdino      1        46"),
                .init(
                    "of all rows", "$huts | summarize beds=sum(beds) largest=max(beds)",
                    after: [DataCommands.huts],
                    gives: "beds  largest\n 102       50"),
                .init(
                    "an expression of aggregates", "$huts | summarize spread=max(beds) - min(beds)",
                    after: [DataCommands.huts], gives: "spread\n    44"),
            ],
            searchTerms: [
                "most frequent", "most common", "frequency", "per month", "per day", "count distinct values",
                "per group",
                "aggregate", "group by", "average", "statistics", "pivot", "median", "percentile",
                "standard deviation",
                "count per group", "count per category", "totals by", "histogram", "by month", "by day",
                "subtotals", "per person", "quantiles",
            ]
        ) { input, _, plan in
            try plan.summarized(try Rows(input, for: "summarize"))
        }
    }
}
