import CivilTime
import Foundation
import LineEditing
import Logging
import PluginKit
import Workbench

/// The validated arguments of a session; `nil` for defaults.
struct SessionStart {
    var workspace: String?
    var seed: UInt64?
    var clock: String?
    var timezone: String?
    var units: String?
    var log: LogStyle?
    var logLevel: String?
    /// Whether results are shown as JSON.
    var showsJSON = false
    /// Whether notes are left out.
    var isQuiet = false
    /// Whether the start-up file runs before entries of `-c`.
    var runsStartFile = false
    /// The arguments of a script.
    var arguments: [String] = []

    /// The requested log.
    var logger: Logger {
        var logger = StandardErrorLog.logger(log ?? .text)
        // A requested log includes informational messages, not only problems.
        logger.logLevel = logLevel.flatMap(Logger.Level.init(rawValue:)) ?? (log == nil ? .notice : .info)
        return logger
    }

    func configuration(isInteractive: Bool, progress: ProgressReporter) throws -> SessionConfiguration {
        let sessionClock = try makeClock()
        let process = ProcessInfo.processInfo.environment
        let size = TerminalSize.present
        let zone = timezone.flatMap(TimeZone.init(identifier:)) ?? Self.systemZone(process)
        let environment = PluginKit.Environment(
            width: size.columns, height: size.rows,
            color: isInteractive && LineEditorConfiguration.wantsColour(process),
            unicode: true, isInteractive: isInteractive, timeZone: zone,
            units: units.flatMap(UnitSystem.init(rawValue:)) ?? .metric)
        var configuration = SessionConfiguration(
            seed: seed ?? UInt64.random(in: 0...UInt64(Int64.max)), clock: sessionClock,
            environment: environment, workspace: workspaceFolder(process),
            files: FileAccess(
                unconfinedIn: URL(
                    fileURLWithPath: FileManager.default.currentDirectoryPath, isDirectory: true)),
            log: logger, progress: progress,
            screen: TerminalScreenProvider.present)
        if isInteractive {
            let abilities = TerminalAbilities(process)
            configuration.environment.pictures = abilities.pictures
            configuration.environment.linksFiles = abilities.showsLinks
        }
        configuration.executor = CommandExecutor()
        configuration.startFile = UserFolders.configuration(process).appendingPathComponent("config.rut")
        configuration.files.pluginFolders = [UserFolders.plugins(process)]
        configuration.arguments = arguments
        configuration.showsJSON = showsJSON
        if !isInteractive, isatty(STDOUT_FILENO) == 0 {
            configuration.environment.isPipe = true
            configuration.output = { Output.pass($0) }
        } else if isatty(STDOUT_FILENO) == 1 {
            configuration.live = {
                // Clear the progress line, which is redrawn later, before printing the row.
                if isatty(STDERR_FILENO) == 1 { Output.control("\r\u{1B}[K") }
                Output.print($0)
            }
        }
        return configuration
    }

    /// What is passed to the process to read; `nil` at a terminal.
    static var passedInput: URL? {
        isatty(STDIN_FILENO) == 1 ? nil : URL(fileURLWithPath: "/dev/stdin")
    }

    /// The zone of TZ or of the system. A TZ that is not read is said: times would be of another place without a word.
    private static func systemZone(_ process: [String: String]) -> TimeZone {
        let read = SystemZone(process["TZ"])
        if let warning = read.warning { Output.complain("warning: \(warning)\n") }
        return read.zone
    }

    private func makeClock() throws -> SessionClock {
        if let moment = clock.flatMap({ ISO8601.timestamp($0) }) { return SessionClock(standingAt: moment) }
        // The only place where the machine's clock is read; the session's clock is used everywhere else.
        return SessionClock {
            var now = timespec()
            clock_gettime(CLOCK_REALTIME, &now)
            return Timestamp(milliseconds: Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000)
        }
    }

    func workspaceFolder(_ environment: [String: String]) -> URL {
        if let workspace { return URL(fileURLWithPath: workspace, isDirectory: true) }
        return UserFolders.data(environment).appendingPathComponent("workspace", isDirectory: true)
    }
}
