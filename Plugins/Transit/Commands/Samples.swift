/// Setup lines of examples.
enum Samples {
    /// The sample feed, imported.
    static let feed = ["transit sample", "transit import harbour"]
    /// The same with a map at a station.
    static let map = feed + ["stops show Harbour"]
}
