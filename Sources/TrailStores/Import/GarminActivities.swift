import Archives
import CivilTime
import Formats

/// The list of activities in an export of Garmin: it names no files, but when each activity began.
enum GarminActivities {
    private static let list = "summarizedActivitiesExport"

    /// Whether a file that begins so is such a list.
    static func isTable(_ head: String) -> Bool { head.contains("\"\(list)\"") }

    /// Reads a list. Throws `E-IMPORT-FORMAT`, or the error of `check`.
    static func read(_ source: SourceBytes, into table: inout ActivityTable, check: () throws -> Void) throws
    {
        var repaired: [String] = []
        let all = try JSONSource.read(source, check: check, repairs: { repaired = $0.words }) { tree in
            (tree.items ?? [tree]).flatMap { $0[list]?.items ?? [] }
        }
        table.doubts += repaired
        var withoutStart = 0
        for activity in all {
            guard let milliseconds = activity["beginTimestamp"]?.number ?? activity["startTimeGmt"]?.number,
                let start = Timestamp(seconds: milliseconds / 1000)
            else {
                withoutStart += 1
                continue
            }
            table.started.append(
                (
                    start,
                    ActivityTable.Activity(
                        name: activity["name"]?.text?.nonEmpty,
                        type: activity["activityType"]?.text.map(TrackActivity.named),
                        comment: activity["description"]?.text?.nonEmpty)
                ))
        }
        if withoutStart > 0 {
            table.doubts.append(
                "\(withoutStart, of: "activity", plural: "activities") without a start, left out")
        }
    }
}
