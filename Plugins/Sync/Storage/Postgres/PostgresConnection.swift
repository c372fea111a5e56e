import CPostgres
import Foundation
import PluginKit

/// A connection to a server through libpq. It never blocks for long: it waits in slices, checks for
/// cancellation between them, and fails after a time without progress.
final class PostgresConnection {
    /// The settings of connections. A client that freezes in a transaction must delay others for seconds
    /// only.
    private enum Settings {
        /// Seconds until the connection must be established.
        static let connect = 5.0
        /// Seconds without a byte from or to the server.
        static let silence = 15.0
        /// Milliseconds between checks for cancellation.
        static let slice: Int32 = 50
        static let session = """
            SET client_min_messages = warning;
            SET default_transaction_isolation = 'read committed';
            SET statement_timeout = '10s';
            SET lock_timeout = '5s';
            SET idle_in_transaction_session_timeout = '4s'
            """
        /// Socket options that detect a lost machine.
        static let keywords: [(String, String)] = [
            ("keepalives", "1"), ("keepalives_idle", "5"), ("keepalives_interval", "2"),
            ("keepalives_count", "3"), ("tcp_user_timeout", "10000"), ("application_name", "rutter"),
        ]
    }

    /// Errors reported by the server.
    struct Refusal: Error {
        let state: String
        let message: String
    }

    private var connection: OpaquePointer?
    private let address: String
    /// Number of messages sent to the server: one per statement or script.
    private(set) var sent = 0

    init(_ address: String) { self.address = address }

    deinit { PQfinish(connection) }

    var isOpen: Bool { PQstatus(connection) == CONNECTION_OK }

    // MARK: Connecting

    func connect() throws(CloudFailure) {
        PQfinish(connection)
        connection = nil
        var words = [("dbname", address)] + Settings.keywords
        if let mode = PostgresAddress.sslMode(address) { words.append(("sslmode", mode)) }
        connection = Self.withTexts(words.map(\.0)) { keys in
            Self.withTexts(words.map(\.1)) { PQconnectStartParams(keys, $0, 1) }
        }
        guard PQstatus(connection) != CONNECTION_BAD else { throw unreachable }
        let deadline = ContinuousClock.now + .seconds(Settings.connect)
        var state = PGRES_POLLING_WRITING
        while state != PGRES_POLLING_OK {
            if state == PGRES_POLLING_FAILED { throw unreachable }
            if ContinuousClock.now > deadline {
                drop()
                throw .transient("the server does not answer")
            }
            if wait(state == PGRES_POLLING_READING ? POLLIN : POLLOUT) { state = PQconnectPoll(connection) }
            if Task.isCancelled {
                drop()
                throw .transient("interrupted")
            }
        }
        PQsetnonblocking(connection, 1)
        do { try script(Settings.session) } catch let error as Refusal { throw error.failure } catch {
            throw .permanent("\(error)")
        }
    }

    private func drop() {
        PQfinish(connection)
        connection = nil
    }

    private var unreachable: CloudFailure {
        let why = clean(PQerrorMessage(connection))
        return PostgresAddress.isRefusal(why) ? .permanent(why) : .transient(why)
    }

    /// A message of libpq on one line, without the password.
    private func clean(_ message: UnsafePointer<CChar>?) -> String {
        var text = message.map { String(cString: $0) } ?? "no connection"
        if let password = URLComponents(string: address)?.password, !password.isEmpty {
            text = text.replacingOccurrences(of: password, with: "…")
        }
        // Hints of the library stand in lines of their own, behind a tab.
        return text.split { $0.isNewline || $0 == "\t" }.joined(separator: " ").replacing("  ", with: " ")
    }

    private static func withTexts<T>(_ texts: [String], _ body: ([UnsafePointer<CChar>?]) -> T) -> T {
        let copies = texts.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies.map { $0.map { UnsafePointer($0) } } + [nil])
    }

    /// Waits for the socket for one slice; returns whether it is ready.
    private func wait(_ events: Int32) -> Bool {
        var waiting = pollfd(fd: PQsocket(connection), events: Int16(events), revents: 0)
        return poll(&waiting, 1, Settings.slice) > 0
    }

    // MARK: Statements

    /// One cell of a result, in binary form.
    struct Cell {
        let content: UnsafeRawBufferPointer

        /// A number of 2, 4 or 8 bytes.
        var number: Int64 {
            var word: UInt64 = 0
            for byte in content { word = word << 8 | UInt64(byte) }
            switch content.count {
            case 2: return Int64(Int16(truncatingIfNeeded: word))
            case 4: return Int64(Int32(truncatingIfNeeded: word))
            default: return Int64(bitPattern: word)
            }
        }

        var text: String { String(decoding: content, as: UTF8.self) }
        var bytes: [UInt8] { Array(content) }
        var isTrue: Bool { content.first == 1 }
    }

    /// Rows of a result; the cells are valid only within the closure that reads them.
    struct Rows {
        fileprivate let result: OpaquePointer?
        var count: Int { Int(PQntuples(result)) }

        subscript(row: Int, column: Int) -> Cell? {
            let (row, column) = (Int32(row), Int32(column))
            guard row < PQntuples(result), PQgetisnull(result, row, column) == 0 else { return nil }
            return Cell(
                content: UnsafeRawBufferPointer(
                    start: PQgetvalue(result, row, column), count: Int(PQgetlength(result, row, column))))
        }
    }

    /// Runs a statement and reads its rows.
    func run<T>(_ sql: String, _ arguments: [PostgresValue] = [], _ read: (Rows) throws -> T) throws -> T {
        let contents = arguments.map(\.content)
        let isSent = Self.withContents(contents) { values in
            PQsendQueryParams(
                connection, sql, Int32(contents.count), arguments.map { Oid($0.type) }, values,
                contents.map { Int32($0.count) }, contents.map { _ in 1 }, 1)
        }
        let result = try answer(isSent)
        defer { PQclear(result) }
        return try read(Rows(result: result))
    }

    func run(_ sql: String, _ arguments: [PostgresValue] = []) throws { try run(sql, arguments) { _ in } }

    /// Runs several statements without parameters.
    func script(_ sql: String) throws { PQclear(try answer(PQsendQuery(connection, sql))) }

    private static func withContents<T>(
        _ contents: [[UInt8]], _ body: ([UnsafePointer<CChar>?]) -> T
    ) -> T {
        func next(_ index: Int, _ pointers: [UnsafePointer<CChar>?]) -> T {
            if index == contents.count { return body(pointers) }
            return contents[index].withUnsafeBytes { bytes in
                let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
                // An empty value differs from NULL.
                return withUnsafePointer(to: 0 as CChar) { next(index + 1, pointers + [start ?? $0]) }
            }
        }
        return next(0, [])
    }

    /// Waits for the last result of a statement; throws the error of any.
    private func answer(_ isSent: Int32) throws -> OpaquePointer? {
        sent += 1
        if isSent != 1 { throw lost }
        var deadline = ContinuousClock.now + .seconds(Settings.silence)
        var rest = PQflush(connection)
        var last: OpaquePointer?
        var refusal: Refusal?
        while true {
            if rest < 0 { throw lost }
            if rest == 0, PQisBusy(connection) == 0 {
                guard let result = PQgetResult(connection) else { break }
                PQclear(last)
                last = result
                refusal = refusal ?? self.refusal(result)
                continue
            }
            if wait(rest > 0 ? POLLIN | POLLOUT : POLLIN) {
                deadline = ContinuousClock.now + .seconds(Settings.silence)
                if PQconsumeInput(connection) != 1 { throw lost }
                if rest > 0 { rest = PQflush(connection) }
            }
            if Task.isCancelled || ContinuousClock.now > deadline {
                PQclear(last)
                drop()
                throw Refusal(
                    state: "", message: Task.isCancelled ? "interrupted" : "the server does not answer")
            }
        }
        if let refusal {
            PQclear(last)
            throw refusal
        }
        return last
    }

    private var lost: Refusal { Refusal(state: "", message: clean(PQerrorMessage(connection))) }

    private func refusal(_ result: OpaquePointer) -> Refusal? {
        let status = PQresultStatus(result)
        if status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK { return nil }
        let state = PQresultErrorField(result, 67).map { String(cString: $0) } ?? ""
        return Refusal(state: state, message: clean(PQresultErrorMessage(result)))
    }

    // MARK: Notifications

    /// Waits for a notification for some seconds.
    func notification(seconds: Double) throws(CloudFailure) -> Bool {
        var waiting = pollfd(fd: PQsocket(connection), events: Int16(POLLIN), revents: 0)
        poll(&waiting, 1, Int32((seconds * 1000).rounded()))
        guard PQconsumeInput(connection) == 1 else { throw .transient(clean(PQerrorMessage(connection))) }
        var isHinted = false
        while let notice = PQnotifies(connection) {
            PQfreemem(notice)
            isHinted = true
        }
        return isHinted
    }
}

extension PostgresConnection.Refusal {
    /// Temporary failures by class of the error: lost connections, a server that is shutting down, full or
    /// busy.
    var failure: CloudFailure {
        let later = ["08", "25", "40", "53", "55", "57", "58", ""]
        return later.contains(String(state.prefix(2))) ? .transient(message) : .permanent(message)
    }
}
