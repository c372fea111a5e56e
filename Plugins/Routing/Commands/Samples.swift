/// What the examples of the commands begin with.
enum Samples {
    /// A small region, and places in it as variables.
    static let sketch: [String] = []
    /// The instructions of the route of the examples.
    static let turns = ""
}
