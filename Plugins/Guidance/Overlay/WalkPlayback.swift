import Geodesy
import PluginKit

extension GuidanceWalk: PlaybackProviding {
    /// The fixes as frames, with the overlay of the terminal.
    func playback(in environment: Environment) -> Playback {
        let events = journey.events.map { event in
            Playback.Event(
                moment: event.fix - 1, name: event.kind.rawValue, text: words.text(event),
                haptic: Haptic(event).map { Playback.Haptic(name: $0.rawValue, symbol: $0.symbol) })
        }
        return Playback(
            title: route.name, lines: journey.routes.map(\.geometry.points), count: samples.count,
            events: events, rates: Player.Settings.rates
        ) { index in
            let sample = samples[index]
            let overlay = Overlay(sample, on: journey.routes[sample.leg])
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
