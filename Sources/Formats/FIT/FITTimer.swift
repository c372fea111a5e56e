import CivilTime
import Core

/// When the timer of a device stood still, by the events that stopped and started it.
///
/// A file may have as many pauses as records. They follow each other without an overlap once `putInOrder` was called, so that a question
/// about a moment is answered by halving.
struct FITTimer {
    private struct Event {
        let time: Timestamp
        let type: Int64
    }

    private struct Pause {
        let start: Timestamp
        let end: Timestamp
    }

    private var events: [Event] = []
    private var pauses: [Pause] = []
    /// Seconds of all pauses before each.
    private var secondsBefore: [Double] = []
    /// When the timer stopped, while it stands: a stop without a start after it.
    private(set) var stopped: Timestamp?

    var hasPauses: Bool { !pauses.isEmpty }

    /// Takes an event of the timer in the order of the file; one without a time ends a pause of which the end is not known.
    mutating func add(_ type: Int64?, at time: Timestamp?) {
        if let time, let type { events.append(Event(time: time, type: type)) }
        take(type, at: time)
    }

    private mutating func take(_ type: Int64?, at time: Timestamp?) {
        guard let type else { return }
        if FITProfile.timerStops.contains(type) {
            stopped = stopped ?? time
        } else if type == FITProfile.timerStart {
            if let start = stopped, let time, time > start {
                secondsBefore.append(
                    (secondsBefore.last ?? 0) + (pauses.last.map { $0.end.seconds(since: $0.start) } ?? 0))
                pauses.append(Pause(start: start, end: time))
            }
            stopped = nil
        }
    }

    /// Puts the events in the order of time, where a file lists them in another: only so do they make pauses.
    mutating func putInOrder() {
        guard zip(events, events.dropFirst()).contains(where: { $1.time < $0.time }) else { return }
        let ordered = events.indices.sorted { (events[$0].time, $0) < (events[$1].time, $1) }.map {
            events[$0]
        }
        (pauses, secondsBefore, stopped) = ([], [], nil)
        for event in ordered { take(event.type, at: event.time) }
    }

    /// Whether a moment is within a pause, and not at one of its ends.
    func isPaused(at time: Timestamp) -> Bool {
        let index = pauses.partitionIndex { $0.start >= time } - 1
        return index >= 0 && time < pauses[index].end
    }

    /// Whether a whole pause lies between two moments.
    func hasPause(from start: Timestamp, to end: Timestamp) -> Bool {
        let index = pauses.partitionIndex { $0.start >= start }
        return index < pauses.count && pauses[index].end <= end
    }

    /// Seconds of the pauses between two moments.
    func paused(from start: Timestamp, to end: Timestamp) -> Double {
        max(0, paused(before: end) - paused(before: start))
    }

    private func paused(before time: Timestamp) -> Double {
        let index = pauses.partitionIndex { $0.start >= time } - 1
        guard index >= 0 else { return 0 }
        return secondsBefore[index] + min(pauses[index].end, time).seconds(since: pauses[index].start)
    }
}
