import ArgumentParser
import CivilTime
import Foundation
import Logging
import PluginKit
import Workbench

/// The arguments that tell how a session starts.
struct SessionOptions: ParsableArguments {
    @Option(help: "Folder of the session's own stores (default: $XDG_DATA_HOME/rutter/workspace).")
    var workspace: String?

    @Option(help: "Seed of random numbers and identifiers (default: another one each time).")
    var seed: UInt64?

    @Option(help: "Stop the clock at a time, such as 2026-02-06T08:15:00Z.")
    var clock: String?

    @Option(help: "Time zone, a name of the tz database (default: the system's).")
    var timezone: String?

    @Option(help: "Units in which lengths are shown: metric or imperial.")
    var units: String?

    @Option(help: "Log to standard error as text or json.")
    var log: LogStyle = .text

    @Option(
        name: .customLong("log-level"),
        help: "Least severity that is logged: debug, info, notice, warning, error.")
    var logLevel: String = "notice"

    func validate() throws {
        if let clock {
            guard let moment = ISO8601.timestamp(clock), SessionClock.range.contains(moment) else {
                throw ValidationError("--clock \(clock) is no time; write 2026-02-06T08:15:00Z")
            }
        }
        if let timezone, TimeZone(identifier: timezone) == nil {
            throw ValidationError(
                "--timezone \(timezone) is no time zone; write a name such as Europe/Zurich")
        }
        if let units, UnitSystem(rawValue: units) == nil {
            throw ValidationError("--units is metric or imperial, not \(units)")
        }
        guard Logger.Level(rawValue: logLevel) != nil else {
            throw ValidationError("--log-level \(logLevel) is no level")
        }
    }

    func configuration(isInteractive: Bool, progress: ProgressReporter) throws -> SessionConfiguration {
        var logger = StandardErrorLog.logger(log)
        logger.logLevel = Logger.Level(rawValue: logLevel) ?? .notice
        let sessionClock = try makeClock()
        let process = ProcessInfo.processInfo.environment
        let size = TerminalSize.present
        let zone = timezone.flatMap(TimeZone.init(identifier:)) ?? .current
        let environment = PluginKit.Environment(
            width: size.columns, height: size.rows,
            color: isInteractive && (process["NO_COLOR"] ?? "").isEmpty && process["TERM"] != "dumb",
            unicode: true, isInteractive: isInteractive, timeZone: zone,
            units: units.flatMap(UnitSystem.init(rawValue:)) ?? .metric)
        return SessionConfiguration(
            seed: seed ?? UInt64.random(in: 0...UInt64(Int64.max)), clock: sessionClock,
            environment: environment, workspace: workspaceFolder(process),
            files: FileAccess(
                unconfinedIn: URL(
                    fileURLWithPath: FileManager.default.currentDirectoryPath, isDirectory: true)),
            log: logger, progress: progress,
            screen: ScreenLender.present)
    }

    private func makeClock() throws -> SessionClock {
        if let moment = clock.flatMap({ ISO8601.timestamp($0) }) { return SessionClock(standingAt: moment) }
        // The one place where the machine's clock is read: the session owns all time from here on.
        return SessionClock {
            var now = timespec()
            clock_gettime(CLOCK_REALTIME, &now)
            return Timestamp(milliseconds: Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000)
        }
    }

    private func workspaceFolder(_ environment: [String: String]) -> URL {
        if let workspace { return URL(fileURLWithPath: workspace, isDirectory: true) }
        return UserFolders.data(environment).appendingPathComponent("workspace", isDirectory: true)
    }
}

/// The folders of the XDG base directory specification.
enum UserFolders {
    static func data(_ environment: [String: String]) -> URL {
        folder(environment["XDG_DATA_HOME"], or: ".local/share", environment)
    }

    static func state(_ environment: [String: String]) -> URL {
        folder(environment["XDG_STATE_HOME"], or: ".local/state", environment)
    }

    /// The home folder by the system's list of users, for an environment that tells none.
    private static var accountHome: String {
        getpwuid(getuid()).map { String(cString: $0.pointee.pw_dir) } ?? NSHomeDirectory()
    }

    private static func folder(
        _ configured: String?, or standard: String, _ environment: [String: String]
    ) -> URL {
        let home = URL(
            fileURLWithPath: environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? accountHome,
            isDirectory: true)
        let base =
            configured.flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0, isDirectory: true) : nil }
            ?? home.appendingPathComponent(standard, isDirectory: true)
        return base.appendingPathComponent("rutter", isDirectory: true)
    }
}
