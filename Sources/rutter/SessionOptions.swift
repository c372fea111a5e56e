import ArgumentParser
import CivilTime
import Foundation
import Logging
import PluginKit
import Workbench

/// The arguments that configure a session.
struct SessionOptions: ParsableArguments {
    @Option(help: "Folder of the session's own stores (default: $XDG_DATA_HOME/rutter/workspace).")
    var workspace: String?

    @Option(help: "Seed of random numbers and identifiers (default: random).")
    var seed: UInt64?

    @Option(help: "Stop the clock at a time, such as 2026-02-06T08:15:00Z.")
    var clock: String?

    @Option(help: "Time zone, a name of the tz database (default: the system's).")
    var timezone: String?

    @Option(help: "Units of lengths in output: metric or imperial.")
    var units: String?

    @Option(help: "Log to standard error as text or json, including informational messages.")
    var log: LogStyle?

    @Option(
        name: .customLong("log-level"),
        help:
            "Minimum severity to log: debug, info, notice, warning, error (default: notice; info with --log)."
    )
    var logLevel: String?

    @Flag(help: "Run the start-up file before entries of -c: the prompt does so by itself.")
    var config = false

    @Flag(help: "Show results as JSON.")
    var json = false

    @Flag(help: "Leave notes out: standard error has errors only.")
    var quiet = false

    func validate() throws {
        if let clock {
            guard let moment = ISO8601.timestamp(clock), SessionClock.range.contains(moment) else {
                throw ValidationError("--clock \(clock) is not a time; write 2026-02-06T08:15:00Z")
            }
        }
        if let timezone, TimeZone(databaseName: timezone) == nil {
            throw ValidationError(
                "--timezone \(timezone) is not a time zone; write a name such as Europe/Zurich")
        }
        if let units, UnitSystem(rawValue: units) == nil {
            throw ValidationError("--units is metric or imperial, not \(units)")
        }
        if let logLevel, Logger.Level(rawValue: logLevel) == nil {
            throw ValidationError(
                "--log-level is debug, info, notice, warning or error, not \(logLevel)")
        }
    }

    /// The requested log.
    var logger: Logger { start.logger }

    func configuration(isInteractive: Bool, progress: ProgressReporter) throws -> SessionConfiguration {
        try start.configuration(isInteractive: isInteractive, progress: progress)
    }

    /// The arguments as plain values.
    var start: SessionStart {
        SessionStart(
            workspace: workspace, seed: seed, clock: clock, timezone: timezone, units: units, log: log,
            logLevel: logLevel, showsJSON: json, isQuiet: quiet, runsStartFile: config)
    }
}

/// The folders of the XDG base directory specification.
enum UserFolders {
    static func data(_ environment: [String: String]) -> URL {
        folder(environment["XDG_DATA_HOME"], or: ".local/share", environment)
    }

    /// Where external plugins are installed.
    static func plugins(_ environment: [String: String]) -> URL {
        data(environment).appendingPathComponent("plugins", isDirectory: true)
    }

    static func configuration(_ environment: [String: String]) -> URL {
        folder(environment["XDG_CONFIG_HOME"], or: ".config", environment)
    }

    static func state(_ environment: [String: String]) -> URL {
        folder(environment["XDG_STATE_HOME"], or: ".local/state", environment)
    }

    /// The home folder in the user database, for an environment without HOME.
    private static var accountHome: String {
        getpwuid(getuid()).map { String(cString: $0.pointee.pw_dir) } ?? NSHomeDirectory()
    }

    /// The user's own folder.
    static func home(_ environment: [String: String]) -> URL {
        URL(
            fileURLWithPath: environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? accountHome,
            isDirectory: true)
    }

    private static func folder(
        _ configured: String?, or standard: String, _ environment: [String: String]
    ) -> URL {
        let home = home(environment)
        let base =
            configured.flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0, isDirectory: true) : nil }
            ?? home.appendingPathComponent(standard, isDirectory: true)
        return base.appendingPathComponent("rutter", isDirectory: true)
    }
}
