import CivilTime
import Core
import Formats
import Foundation

/// The two blobs of a recording's points: the app's track and Rutter's own columns.
struct PackedPoints: Sendable {
    let track: Data
    let columns: Data

    /// Packs the points of a hike that began at `start`.
    init(_ segments: [[GPXPoint]], start: Timestamp) {
        track = TrackCodec.encode(segments, start: start)
        columns = RecordingCodec.points(segments)
    }
}

/// Packs the points of a line on a separate thread, while the line is measured and compared.
public final class PackingPoints: Sendable {
    private let work: BackgroundWork<PackedPoints>

    /// Starts packing a long line of a hike that began at `start`; `nil` for a short one, for which a thread costs
    /// more than it saves. Throws `E-LIBRARY-MISSING`.
    public init?(_ line: GPXLine, start: Timestamp) throws(RutterError) {
        guard line.pointCount >= RecordingSettings.leastPackedConcurrently else { return nil }
        try NativeLibrary.zlib.require()
        let segments = line.segments
        work = BackgroundWork { _ in PackedPoints(segments, start: start) }
    }

    deinit { work.end() }

    /// Waits for the blobs; called once.
    func result() throws(RutterError) -> PackedPoints {
        // The packing itself never fails.
        guard let packed = try? work.result() else { throw Interruption.stopped }
        return packed
    }
}

/// The stored form of a recording: the app's track and Rutter's own columns, packed before the store is
/// locked.
struct PackedRecording {
    /// The app's track.
    let track: Data
    let facts: Int
    let sha256: String?
    let points: Data
    let details: String
    /// The recording before its first edit.
    let original: (points: Data, details: String)?

    /// Packs a recording of a hike that began at `start`, unless its points are already being packed.
    init(
        _ recording: Recording, start: Timestamp, points packing: PackingPoints? = nil,
        original: Recording? = nil
    ) throws(RutterError) {
        guard recording.line.pointCount <= RecordingSettings.mostPoints else {
            throw CommonErrors.argumentRange(
                "a recording of \(recording.line.pointCount) points; the maximum is \(RecordingSettings.mostPoints)",
                fix: "split it, or simplify its parts first")
        }
        try NativeLibrary.zlib.require()
        facts = RecordingTable.facts(of: recording)
        sha256 = recording.origin?.sha256
        details = try RecordingDetails.text(recording)
        if let original {
            self.original = (
                RecordingCodec.points(original.line.segments), try RecordingDetails.text(original)
            )
        } else {
            self.original = nil
        }
        let packed =
            if let packing { try packing.result() } else {
                PackedPoints(recording.line.segments, start: start)
            }
        track = packed.track
        points = packed.columns
    }
}
