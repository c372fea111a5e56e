import Geodesy

/// The coordinates and kinds of places by number.
struct PlaceLocations: Sendable {
    var ranks: [UInt8] = []
    /// In 255ths.
    var prominences: [UInt8] = []
    /// In 1e-7 degrees.
    var latitudes: [Int32] = []
    var longitudes: [Int32] = []
    /// Indexes into the names of kinds.
    var kinds: [UInt16] = []
    /// The names of the kinds.
    var kindNames: [String] = []

    /// The number of places.
    var count: Int { ranks.count }

    func coordinate(_ number: Int) -> Coordinate {
        Coordinate(latitude: Double(latitudes[number]) / 1e7, longitude: Double(longitudes[number]) / 1e7)
    }

    func kind(_ number: Int) -> String { kindNames[Int(kinds[number])] }

    /// The rank of a place less its prominence.
    func importance(of number: Int) -> Double {
        Double(ranks[number]) - Double(prominences[number]) / 255
    }
}
