import PluginKit

/// One step of a schedule. It is independent of the state: an impossible step is skipped, so that any part of
/// a schedule is a schedule.
package struct SimulatedAction: Sendable, Hashable {
    /// The kind of step.
    package enum Kind: String, Sendable, CaseIterable {
        case edit, delete, sync, deliver, lose, duplicate, timeout, crash, crashMid, offline, hold, skew,
            copy, restore, forget, backup, bringBack, clone, reinstall, putBack, account, unknown, link,
            relay, losePhoto, copyStore, olderStore, emptyStore, answer, spoil, mend, grow, shrink, farClock
    }

    package var kind: Kind
    /// The device it concerns.
    package var device: Int
    /// The record it concerns.
    package var record: Int
    /// The remaining choice: a field, a message, a number of writes, a time.
    package var choice: Int

    /// Weights of the kinds, and the fault that each requires.
    package static let weights: [(kind: Kind, weight: Int, fault: Fault?)] = [
        (.edit, 24, nil), (.delete, 6, nil), (.sync, 36, nil), (.deliver, 12, nil), (.lose, 4, .lostRequest),
        (.duplicate, 3, .duplicate), (.timeout, 2, .lostReply), (.crash, 1, .crash),
        (.crashMid, 3, .crashMidBatch),
        (.offline, 2, .offline), (.hold, 2, .partition), (.skew, 2, .clockSkew), (.copy, 2, nil),
        (.restore, 1, .restore), (.forget, 1, .forget), (.backup, 2, .backup), (.bringBack, 1, .backup),
        (.clone, 1, .clone), (.reinstall, 1, .reinstall), (.putBack, 1, .putBack), (.account, 1, .account),
        (.unknown, 1, .unknown), (.link, 4, .link), (.relay, 4, .link),
        (.losePhoto, 1, .photos), (.copyStore, 1, .olderStore), (.olderStore, 1, .olderStore),
        (.emptyStore, 1, .emptiedStore), (.answer, 1, .emptiedStore), (.spoil, 1, .unreadableRow),
        (.mend, 1, .unreadableRow), (.grow, 1, .schema), (.shrink, 1, .schema), (.farClock, 1, .farClock),
    ]

    /// The steps of a schedule, determined by the seed.
    package static func schedule(seed: UInt64, devices: Int, records: Int, steps: Int, faults: Faults)
        -> [SimulatedAction]
    {
        var random = Xoshiro256(seed: seed)
        let table = ActionTable(faults)
        var actions: [SimulatedAction] = []
        actions.reserveCapacity(steps)
        for _ in 0..<steps {
            let bits = random.next()
            actions.append(
                SimulatedAction(
                    kind: table.kind(bits & 0xffff), device: Int((bits >> 16) & 0xffff) % devices,
                    record: Int((bits >> 32) & 0xff) % records, choice: Int((bits >> 40) & 0xffff)))
        }
        return actions
    }
}

/// The kinds of step by weight, so that choosing one is an array access.
struct ActionTable: Sendable {
    private let kinds: [SimulatedAction.Kind]

    init(_ faults: Faults) {
        kinds = SimulatedAction.weights.flatMap { kind, weight, fault in
            fault.map(faults.has) ?? true ? Array(repeating: kind, count: weight) : []
        }
    }

    func kind(_ number: UInt64) -> SimulatedAction.Kind { kinds[Int(number) % kinds.count] }
}

extension SimulatedAction {
    /// The step as written in a schedule, such as `edit 0 2 5`.
    package var text: String { "\(kind.rawValue) \(device) \(record) \(choice)" }

    /// The steps of a written schedule, or the first unreadable step.
    package static func parse(_ text: String) -> Result<[SimulatedAction], Unreadable> {
        var actions: [SimulatedAction] = []
        for part in text.split(whereSeparator: { $0 == ";" || $0.isNewline }) {
            let words = part.split(separator: " ")
            if words.isEmpty { continue }
            let numbers = words.dropFirst().map { Int($0) }
            guard let kind = Kind(rawValue: String(words[0])), numbers.count == 3,
                let device = numbers[0], let record = numbers[1], let choice = numbers[2],
                (0..<64).contains(device), (0..<256).contains(record), (0...0xffff).contains(choice)
            else { return .failure(Unreadable(step: String(part))) }
            actions.append(SimulatedAction(kind: kind, device: device, record: record, choice: choice))
        }
        return .success(actions)
    }

    /// A step that cannot be read.
    package struct Unreadable: Error {
        package let step: String
    }
}
