/// The route of the examples: north, then east, then north again, with two turns.
enum GuidanceExample {
    static let line = ["let line = [47,9 47.003,9 47.003,9.004 47.006,9.004]"]
}
