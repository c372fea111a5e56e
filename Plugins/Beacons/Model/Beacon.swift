import Foundation
import Geodesy

/// A coordinate with a tone.
package struct Beacon: Sendable, Hashable {
    package var id: UUID
    package var name: String
    package var coordinate: Coordinate
    package var toneID: UUID
    package var isEnabled: Bool
    /// The name of its group.
    package var group: String?
    var isFavorite = false
    /// When it was last enabled or followed; milliseconds since 1970. A new one has no such key, as the apps write it.
    var lastUsed: Int?

    package init(id: UUID, name: String, coordinate: Coordinate, toneID: UUID, isEnabled: Bool = true) {
        self.id = id
        self.name = name
        self.coordinate = coordinate
        self.toneID = toneID
        self.isEnabled = isEnabled
    }

    /// The first letters of its identifier, as lists show it.
    var shortID: String { String(id.uuidString.lowercased().prefix(8)) }
}

/// North: a direction without a coordinate. It always exists and can only be disabled.
package struct North: Sendable, Hashable {
    package var isEnabled = true
    package var toneID: UUID?
    /// What the device grants the app. North needs no position, so it is heard in every state.
    var permission = LocationPermission.whenInUse

    package init() {}
}

/// Everything audible: north, the beacons in the order they were added, and the tones.
package struct BeaconSet: Sendable {
    package var north: North
    package var beacons: [Beacon]
    package var tones: [Tone]

    package init(north: North = North(), beacons: [Beacon] = [], tones: [Tone]) {
        self.north = north
        self.beacons = beacons
        self.tones = tones
    }

    /// An unused identifier: two sessions with one seed draw the same ones.
    func freshID(_ make: () -> UUID) -> UUID {
        var id = make()
        while beacons.contains(where: { $0.id == id }) || tones.contains(where: { $0.id == id }) {
            id = make()
        }
        return id
    }

    /// Whether a source of this set is enabled.
    func isEnabled(_ source: Source) -> Bool {
        source.coordinate == nil
            ? north.isEnabled : beacons.contains { $0.id == source.id && $0.isEnabled }
    }

    /// A tone by its identifier; the first tone if it is unknown, as in the apps.
    func tone(_ id: UUID?) -> Tone? {
        tones.first { $0.id == id } ?? tones.first
    }
}
