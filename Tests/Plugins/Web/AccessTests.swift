import Foundation
import Testing

/// Admission of requests, over real sockets.
struct AccessTests {
    private static let paths = [
        "/", "/page/app.js", "/leaflet/leaflet.css", "/api/session", "/api/files", "/nothing",
    ]

    @Test func onlyTheLoopbackAddressListens() async throws {
        let served = try await ServedSession()
        let digits = String(served.port, radix: 16, uppercase: true)
        let port = String(repeating: "0", count: 4 - digits.count) + digits
        var listening: Set<String> = []
        // The tables are read in pieces, so a line may be missed while others appear and disappear; beside hundreds of tests it can
        // be missed for a while.
        for (attempt, table) in Array(repeating: ["tcp", "tcp6"], count: 100).joined().enumerated() {
            if attempt >= 40 {
                if !listening.isEmpty { break }
                try await Task.sleep(for: .milliseconds(50))
            }
            // Without IPv6 there is no table for it.
            let lines = (try? String(contentsOfFile: "/proc/self/net/\(table)", encoding: .utf8)) ?? ""
            for line in lines.split(separator: "\n") {
                let fields = line.split(separator: " ")
                // State 0A listens.
                if fields.count > 3, fields[1].hasSuffix(":" + port), fields[3] == "0A" {
                    listening.insert(String(fields[1]))
                }
            }
        }
        #expect(listening == ["0100007F:" + port])
    }

    @Test func theKeyIsExchangedForACookie() async throws {
        let served = try await ServedSession()
        let response = try await served.request("GET /?key=\(served.key)", isStranger: true)
        #expect(response.status == 303 && response.header("location") == "/")
        let cookie = try #require(response.header("set-cookie"))
        #expect(cookie.contains("; HttpOnly") && cookie.contains("; SameSite=Strict"))
        #expect(!cookie.contains(served.key))
        #expect(try await served.request("GET /").status == 200)
        // A browser sends the cookies of all ports of a host.
        let both = try await served.request(
            "GET /", ["Cookie: rutter-1=x; \(served.cookie)"], isStranger: true)
        #expect(both.status == 200)
    }

    @Test func withoutACookieNothingIsShown() async throws {
        let served = try await ServedSession()
        for path in Self.paths {
            #expect(try await served.request("GET \(path)", isStranger: true).status == 403, "\(path)")
        }
        let run = try await served.request(
            "POST /api/run", [served.origin, "Content-Type: application/json"], body: #"{"entry":"1+1"}"#,
            isStranger: true)
        #expect(run.status == 403 && !run.body.contains("2"))
    }

    @Test func aWrongCookieAndAWrongKeyAreRefused() async throws {
        let served = try await ServedSession()
        let name = served.cookie.prefix { $0 != "=" }
        let zeros = String(repeating: "0", count: 64)
        for cookie in [
            "\(name)=", "\(name)=\(zeros)", "\(name)=\(served.key)",
            "other=\(served.cookie.dropFirst(name.count + 1))",
            String(served.cookie.dropLast()), served.cookie + "0",
        ] {
            let response = try await served.request("GET /", ["Cookie: \(cookie)"], isStranger: true)
            #expect(response.status == 403, "\(cookie)")
        }
        for target in ["/?key=", "/?key=\(zeros)", "/?Key=\(served.key)", "/page/app.js?key=\(served.key)"] {
            #expect(try await served.request("GET \(target)", isStranger: true).status == 403, "\(target)")
        }
    }

    @Test func anotherHostIsRefused() async throws {
        let served = try await ServedSession()
        for host in [
            "evil.example:\(served.port)", "127.0.0.1", "localhost:1",
            "127.0.0.1.evil.example:\(served.port)", "",
        ] {
            for target in ["/", "/?key=\(served.key)", "/api/session"] {
                #expect(
                    try await served.request("GET \(target)", host: host).status == 421, "\(host)\(target)")
            }
        }
        let twice = try await served.request("GET /", ["Host: evil.example"])
        #expect([400, 421].contains(twice.status ?? 0))
        let none = await served.client.exchange("GET / HTTP/1.1\r\nCookie: \(served.cookie)\r\n\r\n")
        #expect([400, 421].contains(none?.status ?? 0))
        #expect(try await served.request("GET /", host: "localhost:\(served.port)").status == 200)
    }

    @Test func anotherOriginIsRefused() async throws {
        let served = try await ServedSession()
        let json = "Content-Type: application/json"
        let origins = [
            [], ["Origin: null"], ["Origin: http://evil.example"], ["Origin: http://127.0.0.1:1"],
            ["Origin: https://127.0.0.1:\(served.port)"], ["Origin: http://localhost:\(served.port)"],
            [served.origin, "Origin: http://evil.example"],
        ]
        for origin in origins {
            let response = try await served.request(
                "POST /api/run", origin + [json], body: #"{"entry":"note add x"}"#)
            #expect(response.status == 403, "\(origin)")
        }
        #expect(try await served.request("GET /api/session", ["Origin: http://evil.example"]).status == 403)
        let file = served.test.folder.url.appendingPathComponent("workspace/notes.txt")
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    /// `SameSite` treats another port of this machine as the same site.
    @Test func aPageOfAnotherPortIsRefused() async throws {
        let served = try await ServedSession()
        for site in ["cross-site", "same-site"] {
            let asked = ["Sec-Fetch-Site: \(site)", "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: script"]
            for path in ["/page/app.js", "/api/session", "/"] {
                #expect(try await served.request("GET \(path)", asked).status == 403)
            }
            let framed = ["Sec-Fetch-Site: \(site)", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe"]
            #expect(try await served.request("GET /", framed).status == 403)
            let followed = [
                "Sec-Fetch-Site: \(site)", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document",
            ]
            #expect(try await served.request("GET /", followed).status == 200)
        }
    }

    @Test func eventsNeedTheSame() async throws {
        let served = try await ServedSession()
        let upgrade = [
            "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        ]
        func status(_ headers: [String], isStranger: Bool = false, path: String = "/api/events") async throws
            -> Int?
        {
            try await served.request("GET \(path)", upgrade + headers, isStranger: isStranger).status
        }
        #expect(try await status([served.origin]) == 101)
        #expect(try await status([served.origin], isStranger: true) == 403)
        #expect(try await status([]) == 403)
        #expect(try await status(["Origin: http://evil.example"]) == 403)
        #expect(try await status([served.origin], path: "/api/other") == 404)
    }

    @Test func noResponseMayBeFramedOrRunsInlineScript() async throws {
        let served = try await ServedSession()
        for path in Self.paths {
            for isStranger in [true, false] {
                let response = try await served.request("GET \(path)", isStranger: isStranger)
                let policy = try #require(response.header("content-security-policy"))
                #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self'"))
                #expect(policy.contains("frame-ancestors 'none'") && policy.contains("base-uri 'none'"))
                for word in ["unsafe", "eval", "http:", "https:", "*"] { #expect(!policy.contains(word)) }
                #expect(response.header("x-frame-options") == "DENY")
                #expect(response.header("x-content-type-options") == "nosniff")
                #expect(response.header("referrer-policy") == "no-referrer")
            }
        }
    }

    @Test func noPathLeadsToOtherFiles() async throws {
        let served = try await ServedSession()
        for path in [
            "/../etc/passwd", "/page/../../../../etc/passwd", "/page/%2e%2e/%2e%2e/etc/passwd",
            "//etc/passwd",
            "/leaflet/../../../../etc/passwd", "/leaflet/..%2f..%2f..%2fetc%2fpasswd", "/page/", "/page/.",
            "/leaflet/leaflet.css/../../../../../etc/passwd", "/page/app.js%00.css", "/page\\..\\app.js",
            "/leaflet/images/", "/page/index.html", "file:///etc/passwd",
        ] {
            let response = try await served.request("GET \(path)")
            #expect([400, 404].contains(response.status ?? 0), "\(path): \(response.head)")
            #expect(!response.text.contains("root:"))
        }
    }
}
