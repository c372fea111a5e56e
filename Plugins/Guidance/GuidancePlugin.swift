import PluginKit

/// Guidance: walking a route with real or simulated positions, and hearing what a watch would say.
public struct GuidancePlugin: Plugin {
    /// The name of the area.
    public let name = "guidance"
    /// What it is for.
    public let summary = "walking a route: prompts, progress, off-route, arrival, rerouting"
    /// Its version.
    public let version = "1.0"

    private let desk = GuidanceDesk()

    /// A plugin for one session.
    public init() {}

    /// The commands of simulated walks, of walks driven by hand, and of the settings.
    public var commands: [any CommandProvider] {
        [
            SimulateWalk(desk: desk), PlayWalk(desk: desk), CompareWalks(desk: desk),
            GuidancePrompts(desk: desk),
            StartGuidance(desk: desk), FixGuidance(desk: desk), GuidanceStatus(desk: desk),
            ShowOverlay(desk: desk), RerouteGuidance(desk: desk), StopGuidance(desk: desk),
            GuidanceSettingsCommand(desk: desk), SetGuidance(desk: desk),
        ]
    }

    /// The kinds of error it throws.
    public var errors: [ErrorKind] { GuidanceErrors.all }

    /// Words for completion.
    public var capabilities: [any Capability] { [SettingWords()] }
}
