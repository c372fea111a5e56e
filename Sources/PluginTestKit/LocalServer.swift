import Foundation
import Glibc
import Synchronization

/// A small HTTP server on a loopback port with scripted responses, which records its requests.
public final class LocalServer: Sendable {
    /// A received request.
    public struct Request: Sendable {
        /// The path with the query.
        public var target: String
        /// Headers by their names in lower case.
        public var headers: [String: String]
        /// Seconds of the machine's clock since it was started.
        public var time: Double

        /// A value of the query, decoded.
        public func query(_ name: String) -> String? {
            URLComponents(string: target)?.queryItems?.first { $0.name == name }?.value
        }
    }

    /// A scripted response.
    public enum Answer: Sendable {
        /// A document in JSON.
        case json(String)
        /// A status without a document.
        case status(Int, headers: String = "")
        /// Any document.
        case bytes(Data)
        /// Sends nothing until the client disconnects.
        case silence
        /// Closes the connection at once.
        case hangUp
    }

    /// The port.
    public let port: UInt16
    private let listener: Int32
    private let seen = Mutex<[Request]>([])
    private let answer: @Sendable (Request, Int) -> Answer

    /// Requests so far.
    public var requests: [Request] { seen.withLock { $0 } }
    /// Its address.
    public var url: String { "http://127.0.0.1:\(port)" }

    /// Starts the server; `answer` receives each request and the number of earlier ones.
    public init(_ answer: @escaping @Sendable (Request, Int) -> Answer) throws {
        self.answer = answer
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, 16) == 0
                    && getsockname(listener, $0, &size) == 0
            }
        }
        guard bound else { throw POSIXError(.EADDRNOTAVAIL) }
        port = UInt16(bigEndian: address.sin_port)
        Thread { [weak self] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { return }
                guard let self else {
                    close(client)
                    return
                }
                self.serve(client)
            }
        }.start()
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)); close(listener) }

    private func serve(_ client: Int32) {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !bytes.contains([13, 10, 13, 10]) {
            let count = recv(client, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        let lines = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n")
        let target = lines.first?.split(separator: " ").dropFirst().first.map(String.init) ?? ""
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2 {
                headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
            }
        }
        var now = timespec()
        clock_gettime(CLOCK_BOOTTIME, &now)
        let request = Request(
            target: target, headers: headers, time: Double(now.tv_sec) + Double(now.tv_nsec) / 1e9)
        let before = seen.withLock { requests in
            requests.append(request)
            return requests.count - 1
        }
        respond(answer(request, before), client)
    }

    private func respond(_ answer: Answer, _ client: Int32) {
        func send(_ head: String, _ body: Data) {
            let text = "HTTP/1.1 \(head)Content-Length: \(body.count)\r\nConnection: close\r\n\r\n"
            var all = Data(text.utf8) + body
            while !all.isEmpty {
                let sent = all.withUnsafeBytes {
                    Glibc.send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard sent > 0 else { break }
                all.removeFirst(sent)
            }
        }
        switch answer {
        case .json(let text):
            send("200 OK\r\nContent-Type: application/json; charset=utf-8\r\n", Data(text.utf8))
        case .bytes(let data): send("200 OK\r\nContent-Type: application/json\r\n", data)
        case .status(let code, let headers): send("\(code) Scripted\r\n\(headers)", Data())
        case .silence:
            var byte: UInt8 = 0
            _ = recv(client, &byte, 1, 0)
        case .hangUp: break
        }
        close(client)
    }
}

extension Array where Element: Equatable {
    fileprivate func contains(_ part: [Element]) -> Bool {
        guard count >= part.count else { return false }
        return (0...(count - part.count)).contains { Array(self[$0..<($0 + part.count)]) == part }
    }
}
