import PluginKit

/// `feed fares`
struct FeedFares: CommandProvider {
    let library: FeedLibrary

    var name: String { "feed fares" }

    var command: Command {
        Command(
            name, "list the fares of the timetable",
            details: """
                The fares of fare_attributes.txt and the products of fare_products.txt, as the feed has them. `line show LINE | get fares` \
                lists those of a line, the field `fares` of a journey's leg those of a ride alone, its field \
                `fare` what all rides cost together, or why that is unknown.
                """,
            output: .rows(FareObject.columns), effect: .reads,
            examples: [
                .init("of the sample feed", "feed fares | count", after: FeedExamples.feed, gives: "0")
            ],
            searchTerms: [
                "day pass", "price of a trip", "price", "ticket", "cost", "fare", "tariff", "how much",
                "how much is a ticket", "zones",
            ]
        ) { context in
            let table = try library.feed(context).fares
            return .table(
                objects: table.fares, columns: FareObject.columns,
                note: table.isEmpty ? "the feed has no fares, or was imported by an earlier version" : nil)
        }
    }
}
