import Foundation
import Geodesy
import PluginKit
import TrailStores

/// Where the hikes of a store are: those whose columns and track agree are witnesses for those whose do not.
struct TrackPlaces {
    /// A hike whose start and end are those of its track with latitude and longitude exchanged.
    struct Swap {
        let row: Int64
        let id: String?
        /// The start as the columns have it.
        let stored: Coordinate
        /// The start of the track.
        let track: Coordinate
        /// The track with both exchanged; `nil` if it cannot be written.
        let blob: Data?

        init(row: Int64, id: String?, stored: Coordinate, track: Coordinate, blob: () -> Data?) {
            (self.row, self.id, self.stored, self.track, self.blob) = (row, id, stored, track, blob())
        }

        /// Adds the finding. It has a fix only if the other hikes decide which of the two is wrong.
        func add(to run: CheckRun, table: String, _ places: TrackPlaces) {
            let apart = Literal.quantity(.metres(stored.distance(to: track).rounded()))
            let (nearStored, nearTrack) = (places.hasNeighbours(stored), places.hasNeighbours(track))
            let what: String
            var fix: String?
            if nearStored, !nearTrack {
                what =
                    "latitude and longitude of the track are swapped: it is \(apart) from start and end, near which other hikes are"
                if let blob, blob.count <= Self.largest {
                    let hex = blob.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
                    fix = "UPDATE saved_routes SET track_data = x'\(hex)' WHERE _rowid_ = \(row)"
                }
            } else if nearTrack, !nearStored {
                what =
                    "latitude and longitude of start and end are swapped: they are \(apart) from the track, near which other hikes are"
                fix =
                    "UPDATE saved_routes SET start_latitude = start_longitude, start_longitude = start_latitude, "
                    + "end_latitude = end_longitude, end_longitude = end_latitude WHERE _rowid_ = \(row)"
            } else {
                what =
                    "latitude and longitude are swapped either in start and end or in the track, which are \(apart) apart: no other hike shows in which"
            }
            run.add(HikeFindings.swapped, table: table, row: row, id: id, what, repair: fix)
        }

        /// Maximum bytes of a track that is written into a statement.
        private static let largest = 1 << 20
    }

    /// The starts of hikes whose columns and track agree.
    var agreed: [Coordinate] = []
    var swaps: [Swap] = []

    private func hasNeighbours(_ coordinate: Coordinate) -> Bool {
        agreed.contains { $0.distance(to: coordinate) < CheckSettings.neighbourhood }
    }
}
