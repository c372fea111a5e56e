import Formats
import PluginKit
import TrailStores

extension RecordingEdits {
    /// A recording with the elevations of a terrain model, one for each point in order; with `onlyMissing`
    /// only for unknown ones. Where the model has no data the elevation becomes unknown instead of keeping
    /// the old value: two sources in one profile differ by metres, and each change between them would count
    /// as a climb. `nil` if nothing changes.
    static func elevated(_ recording: Recording, by answer: TerrainAnswer, onlyMissing: Bool) -> Result? {
        var result = recording
        var heights = answer.heights.makeIterator()
        var (set, unknown, kept) = (0, 0, 0)
        for number in result.line.segments.indices {
            for index in result.line.segments[number].indices {
                let height = heights.next() ?? nil
                let old = result.line.segments[number][index].coordinate.altitude
                if onlyMissing, old != nil {
                    kept += 1
                    continue
                }
                if height == nil { unknown += 1 } else { set += 1 }
                // Rounded to a tenth of a metre: samples are whole metres.
                result.line.segments[number][index].coordinate.altitude = height.map {
                    ($0 * 10).rounded() / 10
                }
            }
        }
        guard set > 0, result != recording else { return nil }
        let rest = [
            kept > 0 ? "\(kept) recorded ones kept" : "", unknown > 0 ? "\(unknown) unknown there" : "",
        ].filter { !$0.isEmpty }
        let words = ["elevations of \(set) points from \(answer.origin)"] + rest
        return Result(recording: result, summary: words.joined(separator: "; "))
    }
}
