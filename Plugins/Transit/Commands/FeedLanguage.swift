import PluginKit

/// `feed language [LANGUAGE]`
struct FeedLanguage: CommandProvider {
    let library: FeedLibrary
    private static let columns = ["language", "texts", "inUse"]

    var name: String { "feed language" }

    var command: Command {
        Command(
            name, "list or choose the language of names",
            details: """
                The languages of translations.txt. With one, boards, trips, lines, journeys and stops have their names in it for \
                the rest of the session where the feed has them, else as before; alerts have their texts in it, too. `de` also stands for `de-CH`, if that is the only one. `stop find` finds the names of all languages at any time.
                """,
            .optional("language", .text, "language as in the feed: `fr`, `de-CH`"),
            .flag("off", "names as the feed has them without translations"),
            output: .rows(Self.columns), effect: .changes,
            examples: [
                .init("of the sample feed", "feed language | count", after: FeedExamples.feed, gives: "0"),
                .init(
                    "a language that the feed does not have",
                    "expect-error E-TRANSIT-LANGUAGE feed language fr", after: FeedExamples.feed),
            ],
            searchTerms: [
                "names in another language", "translated names", "translation", "translations.txt",
                "translate", "names in english",
            ]
        ) { context, asked, off in
            guard asked == nil || !off else {
                throw TransitErrors.language(
                    "a language and --off cannot be combined", fix: "use one of them")
            }
            let feed = try library.feed(context)
            let known = feed.languages
            if off || asked != nil {
                let before = library.language
                var chosen: String?
                if let asked {
                    chosen = FeedTranslation.match(asked, among: known.map(\.language))
                    let isOwn =
                        chosen == nil
                        && feed.ownLanguage.map { FeedTranslation.match(asked, among: [$0]) != nil } ?? false
                    guard chosen != nil || isOwn else {
                        let names = (known.map(\.language) + [feed.ownLanguage].compactMap(\.self))
                            .joined(separator: ", ")
                        throw TransitErrors.language(
                            "the timetable has no translations into `\(asked)`",
                            fix: known.isEmpty
                                ? "its names are in one language" : "use one of \(names)")
                    }
                }
                library.use(language: chosen)
                context.journal.record(chosen.map { "names in \($0)" } ?? "names without translations") {
                    [library] in
                    library.use(language: before)
                }
            }
            return .table(
                columns: Self.columns,
                cells: known.map { entry in
                    [
                        .text(entry.language), .integer(entry.count),
                        .boolean(entry.language == library.language),
                    ]
                }, note: known.isEmpty ? "the feed has no translations" : nil)
        }
    }
}
