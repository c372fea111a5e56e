import PluginKit

/// Guidance along a route with real or simulated positions: the prompts, warnings and progress of a watch.
public struct GuidancePlugin: Plugin {
    /// The name of the plugin.
    public let name = "guidance"
    /// A one-line summary.
    public let summary = "guidance along a route: prompts, progress, off-route, rerouting"
    /// Its version.
    public let version = "1.0"

    private let session = GuidanceSession()

    /// A plugin for one session.
    public init() {}

    /// Commands for simulated walks, for walks one fix at a time, and for the settings.
    public var commands: [any CommandProvider] {
        [
            SimulateWalk(session: session), PlayWalk(session: session), CompareWalks(session: session),
            ScoreWalks(),
            GuidancePrompts(session: session),
            StartGuidance(session: session), FixGuidance(session: session), GuidanceStatus(session: session),
            ShowOverlay(session: session), RerouteGuidance(session: session), StopGuidance(session: session),
            GuidanceSettingsCommand(session: session), SetGuidance(session: session),
        ]
    }

    /// The kinds of error that it throws.
    public var errors: [ErrorKind] { GuidanceErrors.all }

    /// Completion of the names of settings.
    public var capabilities: [any Capability] { [SettingCompletions()] }
}
