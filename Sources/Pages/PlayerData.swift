import Formats
import Foundation
import Pictures

/// The data of a player as JSON: tables and indexes into them, so that ten thousand steps stay small.
enum PlayerData {
    static func json(traces: [PlayedTrace], differs: Int?) -> String {
        JSONWriter(.compact).text(
            object([
                ("differs", integer(differs ?? -1)), ("traces", .list(traces.map(trace))),
            ]))
    }

    private static func trace(_ trace: PlayedTrace) -> JSONTree {
        var kinds = Table<[String]>()
        var whys = Table<String>()
        let steps = trace.steps.map { step in
            let kind = kinds.index(of: [step.kind] + step.values.map(\.name))
            return JSONTree.list(
                [integer(step.number), integer(kind), integer(whys.index(of: step.why))]
                    + step.values.map { .text($0.text) })
        }
        return object([
            ("text", .text(trace.text)), ("kinds", .list(kinds.values.map { .text($0[0]) })),
            ("keys", .list(kinds.values.map { .list($0.dropFirst().map { .text($0) }) })),
            ("whys", .list(whys.values.map { .text($0) })), ("steps", .list(steps)),
            ("scenes", .list(trace.scenes.map(scene))),
        ])
    }

    private static func scene(_ entry: (first: Int, scene: PlayedTrace.Scene)) -> JSONTree {
        switch entry.scene {
        case .film(let film): return self.film(film, first: entry.first)
        case .pictures(let pictures):
            var table = Table<String>()
            let frames = pictures.map { picture in
                integer(picture.map { table.index(of: SceneSVG.inline($0)) } ?? -1)
            }
            return object([
                ("first", integer(entry.first)), ("count", integer(pictures.count)),
                ("pictures", .list(table.values.map { .text($0) })), ("frames", .list(frames)),
            ])
        }
    }

    private static func film(_ film: Film, first: Int) -> JSONTree {
        object([
            ("first", integer(first)), ("count", integer(film.frames.count)),
            ("width", JSONTree(film.ground.size.width)), ("ground", .text(SceneSVG.inline(film.ground))),
            ("chain", look(film.chain)), ("lineLooks", .list(film.lineLooks.map(look))),
            ("pointLooks", .list(film.pointLooks.map(look))),
            ("lines", .list(film.lines.map { runs in .list(runs.map { .text(SceneSVG.points($0)) }) })),
            ("frames", .list(film.frames.map(frame))),
        ])
    }

    private static func look(_ style: MapLineStyle) -> JSONTree {
        object(
            [
                ("color", .text("#" + style.stroke.color.hex)), ("width", JSONTree(style.stroke.width)),
                ("layer", integer(style.layer)),
            ]
                + (style.stroke.dash.isEmpty
                    ? []
                    : [("dash", .text(style.stroke.dash.map { "\($0)" }.joined(separator: " ")))]))
    }

    private static func look(_ style: MapPointStyle) -> JSONTree {
        let mark = SceneElement(shape: style.drawn(at: ScenePoint(0, 0)))
        return object([("layer", integer(style.layer)), ("svg", .text(SceneSVG.fragment([mark])))])
    }

    private static func frame(_ frame: Film.Frame) -> JSONTree {
        let changes = frame.changes.map { change in
            JSONTree.list([
                integer(change.key), integer(change.parent ?? -1),
                change.queue.map { .list([.text($0.name), JSONTree($0.key)]) } ?? .null,
                .list(change.parts.map(part)),
            ])
        }
        return .list([integer(frame.clears ? 1 : 0), .list(changes), .list(frame.present.map(integer))])
    }

    private static func part(_ part: Film.Part) -> JSONTree {
        switch part {
        case .line(let look, let line): .list([integer(look), integer(line)])
        case .point(let look, let at, let label):
            .list([integer(look), rounded(at.x), rounded(at.y), .text(label)])
        }
    }

    private static func rounded(_ number: Double) -> JSONTree { JSONTree((number * 100).rounded() / 100) }

    private static func integer(_ number: Int) -> JSONTree { .number(String(number)) }

    private static func object(_ members: [(String, JSONTree)]) -> JSONTree {
        .object(members.map { JSONTree.Member($0.0, $0.1) })
    }
}

/// Values by their index.
private struct Table<Element: Hashable> {
    private(set) var values: [Element] = []
    private var known: [Element: Int] = [:]

    mutating func index(of value: Element) -> Int {
        if let index = known[value] { return index }
        known[value] = values.count
        values.append(value)
        return values.count - 1
    }
}
