import Foundation
import Geodesy
import PluginKit
import Synchronization

/// A small plugin for tests: huts that can be listed, looked for, added and called by name.
struct HutPlugin: Plugin {
    let name = "huts"
    let summary = "huts for tests"
    let version = "1.0"
    let shelf = HutShelf()

    var commands: [any CommandProvider] {
        [HutList(shelf: shelf), HutNear(shelf: shelf), HutAdd(shelf: shelf), HutToken(), HutBroken()]
    }
    var errors: [ErrorKind] { [HutErrors.taken] }
    var capabilities: [any Capability] { [HutReferences(shelf: shelf)] }
    var settings: [SettingSpec] {
        [SettingSpec("huts.reach", .quantity(.length, 0...100_000), default: "5km", "how far a hut is near")]
    }
}

enum HutErrors {
    static let taken = ErrorKind("E-HUT-TAKEN", "a hut has this name", explanation: "Choose another name.")
}

struct Hut: DomainObject {
    var id: String
    var label: String
    var category: String
    var at: Coordinate
    var capacity: Int

    let typeName = "hut"
    let fieldNames = ["id", "label", "category", "at", "capacity"]
    var summary: String { label }

    func field(_ name: String) -> Value? {
        switch name {
        case "id": .text(id)
        case "label": .text(label)
        case "category": .text(category)
        case "at": .coordinate(at)
        case "capacity": .integer(capacity)
        default: nil
        }
    }
}

final class HutShelf: Sendable {
    private let held = Mutex<[Hut]>([
        Hut(
            id: "a1f3", label: "Refugi de Juclà", category: "shelter",
            at: Coordinate(latitude: 42.6103, longitude: 1.7196), capacity: 50),
        Hut(
            id: "a1c9", label: "Spring", category: "water",
            at: Coordinate(latitude: 42.5, longitude: 1.5), capacity: 0),
        Hut(
            id: "b200", label: "Hut", category: "shelter",
            at: Coordinate(latitude: 42.51, longitude: 1.52, altitude: 2130), capacity: 12),
        Hut(
            id: "c300", label: "Twin", category: "shelter",
            at: Coordinate(latitude: 42.6, longitude: 1.6), capacity: 4),
        Hut(
            id: "c301", label: "Twin", category: "camp",
            at: Coordinate(latitude: 42.7, longitude: 1.7), capacity: 9),
    ])

    var all: [Hut] { held.withLock { $0 } }
    func add(_ hut: Hut) { held.withLock { $0.append(hut) } }
    func remove(_ id: String) { held.withLock { $0.removeAll { $0.id == id } } }
}

struct HutReferences: ReferenceResolving {
    let shelf: HutShelf
    let kind = "hut"

    func resolve(_ text: String, context: Context) async throws -> [Reference] {
        let named = shelf.all.filter { $0.label == text }
        return (named.isEmpty ? shelf.all.filter { $0.id.hasPrefix(text) } : named).map(reference)
    }

    func complete(_ prefix: String, limit: Int, context: Context) async throws -> [Reference] {
        Array(shelf.all.filter { $0.label.hasPrefix(prefix) }.prefix(limit)).map(reference)
    }

    private func reference(_ hut: Hut) -> Reference {
        let isUnique = shelf.all.filter { $0.label == hut.label }.count == 1
        return Reference(
            name: isUnique ? hut.label : hut.id, detail: "\(hut.category), \(hut.id)", object: hut)
    }
}

struct HutList: CommandProvider {
    let shelf: HutShelf
    var command: Command {
        Command(
            "hut list", "list the huts",
            output: .rows(["label", "category", "capacity"]), effect: .reads,
            examples: [.init("all", "hut list")]
        ) { _ in
            .table(objects: shelf.all, columns: ["label", "category", "capacity"])
        }
    }
}

struct HutNear: CommandProvider {
    let shelf: HutShelf

    var command: Command {
        Command(
            "hut near", "show how a call was parsed",
            .positional("place", .coordinate, "where to look"),
            .option("radius", .quantity(.length, in: 0...100_000), default: "5km", "reach"),
            .option("limit", .integer(1...10), "how many at most"),
            .options("tag", .text, "words about it"),
            .option(
                "mode", .choice([.init("hiking"), .init("cycling")]), default: "hiking", "how one gets there"),
            .option("from", .coordinate, "where one starts"),
            .flag("quiet", "return the distance only"),
            output: .value("record"), effect: .reads,
            examples: [.init("near a place", "hut near 42.5,1.5")]
        ) { _, place, radius, limit, tags, mode, from, quiet in
            if quiet { return .quantity(.metres(radius)) }
            return .record(
                Record([
                    ("place", .coordinate(place)),
                    ("radius", .quantity(Quantity(radius, .length))),
                    ("limit", Value(limit) { .integer($0) }),
                    ("tags", .list(tags.map { .text($0) })),
                    ("mode", .text(mode)),
                    ("from", Value(from) { .coordinate($0) }),
                ]))
        }
    }
}

struct HutAdd: CommandProvider {
    let shelf: HutShelf
    var command: Command {
        Command(
            "hut add", "add a hut",
            .positional("label", .text, "its name"),
            output: .value("hut"), effect: .changes,
            examples: [.init("one", "hut add New")]
        ) { context, label in
            if shelf.all.contains(where: { $0.label == label }) {
                throw HutErrors.taken("there is a hut `\(label)` already", at: .parameter("label"))
            }
            let hut = Hut(
                id: String(context.random.uuid().uuidString.lowercased().prefix(8)), label: label,
                category: "shelter", at: Coordinate(latitude: 42, longitude: 1), capacity: 1)
            shelf.add(hut)
            let shelf = shelf
            context.journal.record("added hut \(label)") {
                guard shelf.all.contains(where: { $0.id == hut.id }) else {
                    throw HutErrors.taken("hut \(label) is gone already")
                }
                shelf.remove(hut.id)
            }
            return .object(hut)
        }
    }
}

struct HutToken: CommandProvider {
    var command: Command {
        Command(
            "hut token", "return a random identifier and number, and a trace",
            output: .value("record"), effect: .pure,
            examples: [.init("one", "hut token")]
        ) { context in
            let id = context.random.uuid().uuidString.lowercased()
            let number = context.random.uniform()
            if let tracing = context.tracing {
                var log = TraceLog(limit: tracing.limit)
                log.record(TraceStep("draw", [("id", .text(id))], why: "an identifier was asked for"))
                log.record(TraceStep("draw", [("number", .number(number))], why: "a number was asked for"))
                tracing.keep(log)
            }
            return .record(Record([("id", .text(id)), ("number", .number(number))]))
        }
    }
}

struct HutBroken: CommandProvider {
    struct Surprise: Error {}
    var command: Command {
        Command(
            "hut broken", "throw an unforeseen error",
            output: .nothing, effect: .pure,
            examples: [.init("it", "hut broken")]
        ) { _ in
            throw Surprise()
        }
    }
}
