import Foundation
import Geodesy
import PluginKit
import Synchronization

/// Reads the names of a file, and sorts them, on a thread of its own, while the caller reads what else the file has: two
/// passes over one file that need nothing of each other.
///
/// Nothing is left running: `end` asks the thread to stop and waits until it has.
final class NamesBeside: Sendable {
    private let isStopped = Atomic(false)
    /// The places of a file, and as tables.
    typealias Outcome = (places: RegionPlaces, tables: PlaceTables)

    private let outcome = Mutex<Result<Outcome, any Error>?>(nil)
    private let ended = DispatchSemaphore(value: 0)

    /// Begins to read; with a box only the places inside.
    init(_ file: URL, bounds: BoundingBox?) {
        let thread = Thread { [self] in
            let found: Result<Outcome, any Error> = Result {
                // Progress is what the caller's own passes report.
                let reader = OSMReader(file, progress: ProgressReporter()) { [self] in
                    isStopped.load(ordering: .relaxed)
                }
                let places = try RegionPlaces(
                    try reader.readPlaces(), bounds: bounds, check: reader.checkStop)
                return (places, try PlaceTables(places.entries, areas: places.areas, check: reader.checkStop))
            }
            outcome.withLock { $0 = found }
            ended.signal()
        }
        thread.start()
    }

    /// The places, as soon as they are there. Throws `E-INTERRUPTED` where the caller's task is cancelled before that.
    func places() throws -> Outcome {
        repeat { try Interruption.check() } while ended.wait(timeout: .now() + Self.interval) == .timedOut
        ended.signal()
        guard let found = outcome.withLock({ $0 }) else { throw Interruption.stopped }
        return try found.get()
    }

    /// Ends the reading, where it has not ended.
    func end() {
        isStopped.store(true, ordering: .relaxed)
        ended.wait()
        ended.signal()
    }

    /// How often a caller that waits looks whether it is cancelled.
    private static let interval = DispatchTimeInterval.milliseconds(20)
}
