import CivilTime
import Core
import Foundation

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

    /// Packs a recording of a hike that began at `start`; for a long one packs the two blobs in parallel.
    init(_ recording: Recording, start: Timestamp, original: Recording? = nil) throws(RutterError) {
        try NativeLibrary.zlib.require()
        let segments = recording.line.segments
        let beside =
            recording.line.pointCount < RecordingSettings.leastBeside
            ? nil : BackgroundWork { _ in RecordingCodec.points(segments) }
        defer { beside?.end() }
        track = TrackCodec.encode(recording.appTrack, start: start)
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
        guard let beside else {
            points = RecordingCodec.points(segments)
            return
        }
        // The packing itself never fails.
        guard let packed = try? beside.result() else { throw Interruption.stopped }
        points = packed
    }
}
