import Core
import Formats
import Foundation

/// The routes in files whose names are no identifiers, as a file manager or a conflict leaves them. Each file is read once
/// as long as it stays the same: it is asked for again with every route that has no file.
final class OddRouteFiles {
    /// By which a file is known to be the same.
    private struct State: Equatable {
        let size: Int
        let number: UInt64
        let seconds: Int
        let nanoseconds: Int

        init?(_ file: URL) {
            var info = stat()
            guard stat(file.path, &info) == 0 else { return nil }
            size = Int(info.st_size)
            number = UInt64(info.st_ino)
            seconds = info.st_mtim.tv_sec
            nanoseconds = info.st_mtim.tv_nsec
        }
    }

    private var known: [String: (state: State, route: RecordName?)] = [:]
    /// The number of files read.
    private(set) var readings = 0

    /// The route in a file; `nil` if there is none.
    func route(in file: URL) -> RecordName? {
        guard let state = State(file) else { return nil }
        if let found = known[file.lastPathComponent], found.state == state { return found.route }
        readings += 1
        let object = (try? Data(contentsOf: file)).flatMap { try? JSONTree(parsing: $0) }
        let route = object?["id"]?.text.flatMap(RecordName.init(text:))
        known[file.lastPathComponent] = (state, route)
        return route
    }
}
