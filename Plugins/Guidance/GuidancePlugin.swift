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

    /// What its commands are for.
    public var commandGroup: CommandGroup { .guidance }

    /// Commands for simulated walks, and for walks one fix at a time.
    public var commands: [any CommandProvider] {
        [
            SimulateWalk(), PlayWalk(), CompareWalks().grouped(.teaching), ScoreWalks().grouped(.teaching),
            GuidancePrompts(),
            StartGuidance(session: session), FixGuidance(session: session),
            ShowOverlay(session: session), RerouteGuidance(session: session), StopGuidance(session: session),
        ]
    }

    /// Commands of earlier versions.
    public var formerCommands: [String: String] {
        [
            "guide status": "guide show", "guide set": "set guidance.SETTING VALUE",
            "guide settings": "set guidance",
        ]
    }

    /// The kinds of error that it throws.
    public var errors: [ErrorKind] { GuidanceErrors.all }

    /// The thresholds and methods of guidance.
    public var settings: [SettingSpec] { GuidanceSettings.table.map(\.spec) }
}
