import Geodesy
import PluginKit

extension GuidanceWalk: PlaybackProviding {
    /// The fixes as frames, with the overlay of the terminal.
    func playback(in environment: Environment) -> Playback {
        let events = run.events.map { event in
            Playback.Event(
                moment: event.fix - 1, name: event.kind.rawValue, text: words.text(event),
                haptic: Haptic(event).map { Playback.Haptic(name: $0.rawValue, symbol: $0.symbol) })
        }
        return Playback(
            title: route.name, lines: run.routes.map(\.geometry.points), count: samples.count,
            events: events, rates: WalkPlayer.Settings.rates
        ) { index in
            let sample = samples[index]
            let overlay = Overlay(sample, on: run.routes[sample.leg])
            return Playback.Moment(
                elapsed: elapsed(sample), coordinate: sample.walk.fix.coordinate, heading: heading(at: index),
                line: sample.leg, panel: OverlayLines(overlay: overlay, environment: environment).panel)
        }
    }

    /// The direction of movement at a fix: as measured, else from the previous fix; `nil` if unknown.
    func heading(at index: Int) -> Double? {
        let fix = samples[index].walk.fix
        guard fix.course == nil, index > 0 else { return fix.course }
        return samples[index - 1].walk.fix.coordinate.bearing(to: fix.coordinate)
    }
}
