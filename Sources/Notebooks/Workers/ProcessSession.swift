import Foundation
import Glibc

/// The processes of a Unix session. A worker leads one of its own, so that what it started can be found and
/// ended after it crashed, even where each of those was given a process group of its own.
enum ProcessSession {
    /// Ends every process of a session.
    static func kill(_ session: pid_t) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [] {
            guard let id = pid_t(name), id != getpid(), Self.session(of: id) == session else { continue }
            _ = Glibc.kill(id, SIGKILL)
        }
    }

    /// The session that a process belongs to: the fourth field behind the name in parentheses.
    private static func session(of id: pid_t) -> pid_t? {
        guard let stat = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8),
            let end = stat.lastIndex(of: ")")
        else { return nil }
        let fields = stat[stat.index(after: end)...].split(separator: " ")
        return fields.count > 3 ? pid_t(fields[3]) : nil
    }
}
