import Foundation
import NIOCore
import Synchronization
import Testing

@testable import WebPlugin

/// Limits of a client, over real sockets. No test measures time: a client that is not disconnected would
/// block the test until its own time-out.
struct LimitTests {
    private static let pass = Secret.random()

    private func server(
        _ change: (inout WebSettings) -> Void = { _ in },
        answer: @escaping @Sendable (WebRequest) async -> WebResponse = { .text(200, "\($0.body.count)") }
    ) async throws -> (WebServer, RawClient, String) {
        var settings = WebSettings()
        change(&settings)
        let server = try await WebServer(
            port: 0, settings: settings, key: .random(), pass: Self.pass, answer: answer)
        let head = """
            Host: 127.0.0.1:\(server.port)\r
            Origin: http://127.0.0.1:\(server.port)\r
            Cookie: rutter-\(server.port)=\(Self.pass.text)\r

            """
        return (server, RawClient(port: server.port), head)
    }

    @Test func aBodyIsReadUpToTheLimit() async throws {
        let (server, client, head) = try await server { $0.bodyLimit = 1000 }
        let fits = await client.exchange(
            "POST / HTTP/1.1\r\n\(head)Content-Length: 1000\r\n\r\n" + String(repeating: "x", count: 1000))
        #expect(fits?.status == 200 && fits?.body == "1000")
        // Refused before it is sent.
        let stated = await client.exchange("POST / HTTP/1.1\r\n\(head)Content-Length: 1001\r\n\r\n")
        #expect(stated?.status == 413)
        let part = "400\r\n" + String(repeating: "x", count: 0x400) + "\r\n"
        let chunked = await client.exchange(
            "POST / HTTP/1.1\r\n\(head)Transfer-Encoding: chunked\r\n\r\n"
                + String(repeating: part, count: 64),
            untilClosed: true)
        #expect(chunked?.status == 413 && chunked?.isClosed == true)
        await server.stop()
    }

    /// Connections that send nothing, or the start of a request, lock nobody out: a new one takes the place of the oldest.
    @Test(arguments: ["", "GET / HTTP/1.1\r\n"])
    func waitingConnectionsMakeRoom(_ start: String) async throws {
        let (server, client, head) = try await server { $0.connections = 4 }
        let waiting = try (0..<4).map { _ in
            let connection = try #require(RawConnection(port: server.port))
            connection.send(Array(start.utf8))
            return connection
        }
        while server.openConnections < 4 { try await Task.sleep(for: .milliseconds(5)) }
        let response = await client.exchange("GET / HTTP/1.1\r\n\(head)\r\n")
        #expect(response?.status == 200)
        withExtendedLifetime(waiting) {}
        await server.stop()
    }

    @Test func aHeadIsReadUpToTheLimit() async throws {
        let (server, client, head) = try await server()
        let long = "X-Long: " + String(repeating: "x", count: 20_000)
        let response = await client.exchange("GET / HTTP/1.1\r\n\(head)\(long)", untilClosed: true)
        #expect(response?.status == 431 && response?.isClosed == true)
        let line = await client.exchange("GET /" + String(repeating: "x", count: 20_000), untilClosed: true)
        #expect(line?.status == 431)
        let fields = (0..<5000).map { "X-\($0): 1\r\n" }.joined()
        let many = await client.exchange("GET / HTTP/1.1\r\n\(fields)", untilClosed: true)
        #expect([400, 431].contains(many?.status ?? 0) && many?.isClosed == true)
        await server.stop()
    }

    @Test func aSlowRequestIsGivenUp() async throws {
        let (server, client, head) = try await server { $0.requestTime = 200 }
        for start in [
            "G", "GET / HTTP/1.1\r\n\(head)", "POST / HTTP/1.1\r\n\(head)Content-Length: 10\r\n\r\nxxx",
        ] {
            let response = await client.exchange(start, untilClosed: true)
            #expect(response?.isClosed == true && response?.text.contains("200") == false)
        }
        await server.stop()
    }

    @Test func aSilentConnectionIsGivenUp() async throws {
        let (server, client, head) = try await server { $0.idleTime = 200 }
        #expect(await client.exchange("", untilClosed: true)?.isClosed == true)
        let kept = await client.exchange("GET / HTTP/1.1\r\n\(head)\r\n", untilClosed: true)
        #expect(kept?.status == 200 && kept?.isClosed == true)
        await server.stop()
    }

    @Test func aClientThatDoesNotReadIsGivenUp() async throws {
        let gone = AsyncStream<Void>.makeStream()
        let (server, _, head) = try await server {
            $0.sendTime = 300
        } answer: { _ in
            // More than the system's buffers take.
            .text(200, String(repeating: "x", count: 64 << 20))
        }
        let port = server.port
        Thread {
            let connection = RawConnection(port: port)
            connection?.send(Array("GET / HTTP/1.1\r\n\(head)\r\n".utf8))
            // Reads nothing; the server closes its end anyway.
            while server.openConnections == 0 { usleep(1000) }
            while server.openConnections > 0 { usleep(10_000) }
            withExtendedLifetime(connection) {}
            gone.continuation.finish()
        }.start()
        for await _ in gone.stream {}
        #expect(server.openConnections == 0)
        await server.stop()
    }

    @Test func connectionsAreCounted() async throws {
        let served = Mutex((count: 0, isReleased: false))
        let (server, client, head) = try await server {
            $0.connections = 3
        } answer: { request in
            guard request.path == "/held" else { return .text(200, "") }
            served.withLock { $0.count += 1 }
            while !served.withLock({ $0.isReleased }) { try? await Task.sleep(for: .milliseconds(2)) }
            return .text(200, "")
        }
        let port = server.port
        let held = Mutex<[RawConnection]>([])
        await withCheckedContinuation { continuation in
            Thread {
                held.withLock { held in
                    held = (0..<3).compactMap { _ in RawConnection(port: port) }
                    for connection in held {
                        connection.send(Array("GET /held HTTP/1.1\r\n\(head)\r\n".utf8))
                    }
                }
                while served.withLock({ $0.count }) < 3 { usleep(1000) }
                continuation.resume()
            }.start()
        }
        // All are being served: there is no room.
        #expect(await client.exchange("GET / HTTP/1.1\r\n\(head)\r\n")?.isClosed == true)
        served.withLock { $0.isReleased = true }
        held.withLock { $0 = [] }
        await withCheckedContinuation { continuation in
            Thread {
                while server.openConnections > 0 { usleep(1000) }
                continuation.resume()
            }.start()
        }
        #expect(await client.exchange("GET / HTTP/1.1\r\n\(head)\r\n")?.status == 200)
        await server.stop()
    }

    @Test(arguments: [
        "\r\n\r\n\r\n", "NONSENSE\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "GET / HTTP/1.1\r\nHost\r\n\r\n",
        "\u{16}\u{3}\u{1}\u{2}\u{0}", "GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        "GET / HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "GET http://127.0.0.1/ HTTP/1.1\r\n\r\n",
    ])
    func nonsenseEndsTheConnectionAlone(bytes: String) async throws {
        let (server, client, head) = try await server {
            $0.requestTime = 200; $0.idleTime = 200
        }
        let response = await client.exchange(bytes, untilClosed: true)
        #expect(response?.isClosed == true && response?.text.contains(" 200 ") == false)
        #expect(await client.exchange("GET / HTTP/1.1\r\n\(head)\r\n")?.status == 200)
        await server.stop()
    }

    @Test func twoRequestsInOnePacketGetTwoResponses() async throws {
        let (server, client, head) = try await server { $0.idleTime = 200 }
        let one = "GET / HTTP/1.1\r\n\(head)\r\n"
        let response = await client.exchange(one + one, untilClosed: true)
        #expect(response?.text.components(separatedBy: "HTTP/1.1 200").count == 3)
        await server.stop()
    }

    @Test func methodsOtherThanTheThreeAreRefused() async throws {
        let served = try await ServedSession()
        for method in ["PUT", "DELETE", "OPTIONS", "PATCH"] {
            #expect(try await served.request("\(method) /", [served.origin]).status == 405)
        }
        let form = try await served.request(
            "POST /api/run", [served.origin, "Content-Type: text/plain"], body: #"{"entry":"1"}"#)
        #expect(form.status == 415)
        for body in ["", "x", "[]", "{}", #"{"entry":1}"#] {
            let response = try await served.request(
                "POST /api/run", [served.origin, "Content-Type: application/json"], body: body)
            #expect(response.status == 400, "\(body)")
        }
    }

    @Test func whatIsStoppedListensNoMore() async throws {
        let served = try await ServedSession()
        await served.test.run("web stop")
        let request = "GET / HTTP/1.1\r\nHost: 127.0.0.1:\(served.port)\r\nCookie: \(served.cookie)\r\n\r\n"
        // The server of another test may have got the port by now: it does not know the cookie.
        #expect(await served.client.exchange(request)?.status != 200)
        #expect(try await served.test.value("web open").field("pages")?.asNumber == 0)
        await served.test.session.close()
    }
}
