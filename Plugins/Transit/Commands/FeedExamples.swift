/// Setup lines of examples.
enum FeedExamples {
    /// The sample feed, imported.
    static let feed = ["feed sample", "feed import harbour"]
    /// The same with a map at a station.
    static let map = feed + ["stop show Harbour"]
}
