import Foundation
import Glibc

/// The processes of a Unix session. A child leads its own session, so that its descendants can be found and
/// terminated after it crashed, even if they have their own process groups.
enum ProcessSession {
    /// Scans for processes started while others were terminated.
    private static let rounds = 20

    /// Terminates every process of a session, and those that left it but have its mark in their environment.
    static func kill(_ session: pid_t, mark: String? = nil) {
        for _ in 0..<rounds where !killMembers(session, mark) { return }
    }

    /// Returns whether there was any.
    private static func killMembers(_ session: pid_t, _ mark: String?) -> Bool {
        var isAny = false
        // Without /proc there is nothing to scan.
        for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [] {
            guard let id = pid_t(name), id != getpid(), id != session else { continue }
            if Self.session(of: id) == session || mark.map({ carries(id, $0) }) == true {
                _ = Glibc.kill(id, SIGKILL)
                isAny = true
            }
        }
        return isAny
    }

    /// The session that a process belongs to: the fourth field behind the name in parentheses.
    private static func session(of id: pid_t) -> pid_t? {
        // A process that exits meanwhile has no such file.
        guard let stat = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8),
            let end = stat.lastIndex(of: ")")
        else { return nil }
        let fields = stat[stat.index(after: end)...].split(separator: " ")
        return fields.count > 3 ? pid_t(fields[3]) : nil
    }

    /// Whether a process was started with an assignment in its environment.
    private static func carries(_ id: pid_t, _ mark: String) -> Bool {
        // The environment of other users' processes is not readable.
        guard let bytes = FileManager.default.contents(atPath: "/proc/\(id)/environ") else { return false }
        return bytes.split(separator: 0).contains { $0.elementsEqual(mark.utf8) }
    }
}
