/// Lines that examples begin with.
enum Samples {
    /// The sample feed, imported.
    static let feed = ["transit sample", "transit import harbour"]
    /// And a map at its station.
    static let map = feed + ["stops show Harbour"]
}
