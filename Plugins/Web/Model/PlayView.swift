import Formats
import Geodesy
import PluginKit

/// A playback as JSON: in columns, without repetition.
enum PlayView {
    static func json(_ playback: Playback, _ entries: any EntryRunning) async -> JSONTree {
        let shown = moments(of: playback)
        let moments = shown.map(playback.moment)
        let times = await entries.cells(moments.map { .quantity(.seconds($0.elapsed.rounded())) })
        var numbers: [Playback.Panel: Int] = [:]
        var panels: [JSONTree] = []
        let panelOf = moments.map { moment -> JSONTree in
            if let known = numbers[moment.panel] { return JSONTree(known) }
            numbers[moment.panel] = panels.count
            panels.append(json(moment.panel))
            return JSONTree(panels.count - 1)
        }
        let indexes = Dictionary(uniqueKeysWithValues: zip(shown, shown.indices))
        let events = playback.events.map { event in
            JSONTree(members: [
                "moment": JSONTree(indexes[min(event.moment, playback.count - 1)] ?? 0),
                "name": .text(event.name),
                "text": .text(event.text), "haptic": event.haptic.map { .text($0.name) },
                "symbol": event.haptic.map { .text($0.symbol) },
            ])
        }
        return JSONTree(members: [
            "title": .text(playback.title),
            "lines": .list(playback.lines.map { .list(PageMap.drawn($0).map(PageMap.coordinate)) }),
            "count": JSONTree(playback.count),
            "elapsed": .list(moments.map { JSONTree(($0.elapsed * 1000).rounded() / 1000) }),
            "times": .list(times.map { .text($0) }),
            "at": .list(moments.map { PageMap.coordinate($0.coordinate) }),
            "heading": .list(moments.map { $0.heading.map { JSONTree($0.rounded()) } ?? .null }),
            "line": .list(moments.map { JSONTree($0.line) }), "panel": .list(panelOf),
            "panels": .list(panels), "events": .list(events),
            "rates": .list(playback.rates.map { JSONTree($0) }),
        ])
    }

    /// The fixes sent to a page: all, or evenly spaced ones and all with an event.
    static func moments(of playback: Playback) -> [Int] {
        let step = max(1, (playback.count + WebSettings.playedMoments - 1) / WebSettings.playedMoments)
        let wanted = Set(playback.events.map { min($0.moment, playback.count - 1) }).union([
            playback.count - 1
        ])
        return (0..<playback.count).filter { $0 % step == 0 || wanted.contains($0) }
    }

    private static func json(_ panel: Playback.Panel) -> JSONTree {
        JSONTree(members: [
            "arrow": .text(panel.arrow), "distance": panel.distance.map { .text($0) },
            "text": .text(panel.text), "facts": .text(panel.facts),
            "progress": JSONTree((panel.progress * 1000).rounded() / 1000),
            "warning": panel.warning.map { .text($0) },
        ])
    }
}
