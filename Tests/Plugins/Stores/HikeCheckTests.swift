import CivilTime
import Formats
import Foundation
import GRDB
import Geodesy
import PluginKit
import PluginTestKit
import Testing
import TrailStores

/// One planted fault of each kind is found, and nothing else.
struct HikeCheckTests {
    private func session(_ points: [TrackPoint] = Fixture.track) throws -> TestSession {
        let session = try Fixture.session()
        try Fixture.hikes(at: session.file("r.db"), points)
        return session
    }

    @Test func aSoundStoreHasNoFindings() async throws {
        let session = try session()
        #expect(await session.run("store check r.db").hasSuffix("no findings in r.db (hikes)"))
    }

    static let faults: [(sql: String, code: String, what: String)] = [
        ("id = '1'", "ID", "id is '1'"),
        ("name = ''", "NAME", "name is ''"),
        ("start_latitude = 91, end_latitude = end_latitude", "PLACE", "start_latitude is 91"),
        ("end_longitude = 'east'", "PLACE", "end_longitude is 'east'"),
        ("start_time = 'dawn'", "TIME", "start_time is 'dawn'"),
        ("modified_at = 'now'", "TIME", "modified_at is 'now'"),
        ("total_distance = -1", "NUMBER", "total_distance is -1"),
        ("elevation_gain = 9e999", "NUMBER", "elevation_gain is inf"),
        ("avg_heart_rate = 900", "NUMBER", "avg_heart_rate is 900"),
        ("track_data = 'track'", "TRACK", "track_data is 'track'"),
        ("track_data = x'ffffff'", "TRACK", "track_data: 3 bytes are not a multiple of 20"),
        ("track_data = x''", "EMPTY", "no points in 0 bytes"),
        ("start_latitude = start_latitude + 0.01", "ENDS", "start is 1.11km from the track's"),
        ("end_longitude = end_longitude + 0.001", "ENDS", "end is 76.5m from the track's"),
        ("total_distance = 5000", "DISTANCE", "total_distance is 5km, the track's 2km"),
        ("total_distance = 1000", "DISTANCE", "total_distance is 1km, the track's 2km"),
        ("elevation_gain = 2000", "CLIMB", "elevation_gain is 2km, the track's "),
        ("elevation_gain = 0", "CLIMB", "elevation_gain is 0m, the track's "),
        ("resting_time = resting_time + 1000", "DURATION", "41min40s of 25min"),
    ]

    @Test(arguments: faults)
    func aPlantedFaultIsFound(_ fault: (sql: String, code: String, what: String)) async throws {
        let session = try session()
        try Fixture.change(session.file("r.db"), "UPDATE saved_routes SET \(fault.sql)")
        #expect(try await session.codes("r.db") == ["F-HIKE-\(fault.code)"])
        let what = try await session.texts("store check r.db", "what")
        #expect(what.first?.hasPrefix(fault.what) == true, "\(what)")
    }

    @Test func timesThatDisagreeAreFound() async throws {
        let session = try session()
        let later = "strftime('%Y-%m-%dT%H:%M:%fZ', start_time, '+5 hours')"
        try Fixture.change(session.file("r.db"), "UPDATE saved_routes SET start_time = \(later)")
        #expect(try await session.codes("r.db") == ["F-HIKE-ORDER", "F-HIKE-SPAN"])
    }

    @Test func theSameIdentifierTwiceIsFound() async throws {
        let session = try session()
        let columns =
            "name, start_latitude, start_longitude, end_latitude, end_longitude, start_time, end_time, total_distance, "
            + "elevation_gain, elevation_loss, walking_time, resting_time, track_data"
        try Fixture.change(
            session.file("r.db"),
            "INSERT INTO saved_routes (id, \(columns)) SELECT lower(id), \(columns) FROM saved_routes")
        #expect(try await session.codes("r.db") == ["F-HIKE-TWICE"])
    }

    @Test func aPointThatIsNotOnEarthIsFound() async throws {
        var points = Fixture.track
        points[50].coordinate.latitude = .nan
        #expect(try await session(points).codes("r.db") == ["F-HIKE-POINT"])
    }

    @Test func timesThatRunBackwardsAreFound() async throws {
        var points = Fixture.track
        points[50].time = points[40].time
        let session = try session(points)
        #expect(try await session.codes("r.db") == ["F-HIKE-BACKWARDS"])
        #expect(try await session.texts("store check r.db", "what") == ["point 51 of 101 is 2min15s earlier"])
    }

    @Test func aBombIsFound() async throws {
        let session = try session()
        try Fixture.change(session.file("r.db"), "UPDATE saved_routes SET track_data = ?", [Bomb.stream])
        #expect(try await session.codes("r.db") == ["F-HIKE-TRACK"])
        #expect(
            try await session.texts("store check r.db", "what").first?.contains("inflate to more than")
                == true)
    }

    /// Imports of real files are consistent, including gaps between segments.
    @Test(.enabled(if: RealData.has("gpx"), "needs the folder of real data"))
    func realTracksHaveNoFindings() async throws {
        let session = try Fixture.session()
        let store = try HikeStore(session.file("real.db"), access: .own)
        for (index, file) in RealData.files(in: "gpx").enumerated() where file.pathExtension == "gpx" {
            guard let document = try? GPXReader.document(file, check: {}) else { continue }
            for (number, line) in document.tracks.enumerated() {
                let segments = line.segments.map { segment in
                    segment.map {
                        TrackPoint(coordinate: $0.coordinate, time: $0.time, heartRate: $0.heartRate)
                    }
                }
                guard let statistics = HikeStatistics(segments: segments) else { continue }
                let id = UUID(uuidString: String(format: "C0000000-0000-4000-8000-%06d%06d", index, number))
                let hike = Hike(
                    id: try #require(id), name: file.lastPathComponent, statistics: statistics,
                    now: Fixture.time)
                try store.insert(hike, track: Array(segments.joined()))
            }
        }
        // One of the files really has a time that runs backwards, one is of 1901, and some recordings are there twice.
        let found = try await session.texts("store check real.db", "what")
        #expect(
            Set(try await session.codes("real.db")) == ["F-HIKE-BACKWARDS", "F-HIKE-SAME", "F-HIKE-YEAR"],
            "\(found)")
    }
}

/// A DEFLATE stream of eight kilobytes that inflates to more than a mebibyte of zeros.
private enum Bomb {
    static let stream: Data = {
        // Fixed codes (RFC 1951, 3.2.6), the first bit first: last block, a literal zero, then again and again 258
        // bytes from one byte back.
        let start = [1, 1, 0] + [0, 0, 1, 1, 0, 0, 0, 0]
        let match = [1, 1, 0, 0, 0, 1, 0, 1] + [0, 0, 0, 0, 0]
        let bits = start + Array(repeatElement(match, count: 24).joined())
        let bytes = stride(from: 0, to: bits.count - 7, by: 8).map { index in
            (0..<8).reduce(UInt8(0)) { $0 | UInt8(bits[index + $1]) << UInt8($1) }
        }
        // Thirteen bits a match: from the third byte on, thirteen bytes repeat themselves.
        return Data(bytes[..<2] + Array(repeatElement(bytes[2..<15], count: 600).joined()))
    }()
}
