import Fetching
import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import PlacesPlugin

/// Queries of a Nominatim-compatible server: a local one that implements its protocol.
@Suite(.needs(.http))
struct GeocodingTests {
    private static let answer = """
        [{"place_id": 1, "licence": "Data © OpenStreetMap contributors", "lat": "46.9480", "lon": "7.4474",
          "category": "building", "type": "house", "importance": 0.41, "name": "",
          "display_name": "12, Kramgasse, Bern, Schweiz", "boundingbox": ["46.9", "47", "7.4", "7.5"]}]
        """

    private func session(_ server: LocalServer?) async throws -> TestSession {
        let test = try TestSession(plugins: { [PlacesPlugin(), FixedPlaces()] })
        if let server { await test.run("set places.server \(server.url)") }
        return test
    }

    @Test func anAddressIsFound() async throws {
        let server = try LocalServer { _, _ in .json(Self.answer) }
        let test = try await session(server)
        let text = await test.shown(
            "place find '12 Kramgasse, Bern & so + on' | select name kind at source")
        #expect(text == "name  kind   at             source\n12    house  46.948,7.4474  127.0.0.1")
        let request = try #require(server.requests.first)
        #expect(request.target.hasPrefix("/search?"))
        #expect(request.query("q") == "12 Kramgasse, Bern & so + on")
        #expect(request.query("format") == "jsonv2")
        #expect(request.target.contains("%2B on") == false && request.target.contains("%2B%20on"))
        #expect(request.headers["user-agent"]?.hasPrefix("Rutter/") == true)
        #expect(request.headers["accept-language"] == "en")
        #expect(await test.run("take '12 Kramgasse, Bern' | get at") == "46.948,7.4474")
    }

    @Test func theServerIsAskedOnlyWhereNothingIsKnown() async throws {
        let server = try LocalServer { _, _ in .json(Self.answer) }
        let test = try await session(server)
        await test.run("place find refugi; take Arinsal")
        #expect(server.requests.isEmpty)
        #expect(await test.run("place find refugi --online").contains("© OpenStreetMap contributors"))
        #expect(server.requests.count == 1)
    }

    @Test func whileOneTypesTheServerIsNotAsked() async throws {
        let server = try LocalServer { _, _ in .json(Self.answer) }
        let test = try await session(server)
        #expect(await test.shown("place find Arnsal --local | get name") == "Arinsal")
        #expect(await test.result("place find Kramgasse --local").failure?.code == "E-PLACE-NONE")
        #expect(await test.result("place find Arinsal --local --online").failure?.code == "E-PLACE-TEXT")
        #expect(server.requests.isEmpty)
    }

    @Test func answersAreKept() async throws {
        let server = try LocalServer { _, _ in .json(Self.answer) }
        let test = try await session(server)
        for _ in 0..<3 { #expect(await test.run("place find Kramgasse | count") == "1") }
        #expect(server.requests.count == 1)
        // For a month of the session's clock.
        await test.run("clock +744h")
        await test.run("place find Kramgasse")
        #expect(server.requests.count == 2)
    }

    @Test func atMostOneRequestASecond() async throws {
        let server = try LocalServer { _, _ in .json("[]") }
        let test = try await session(server)
        for name in ["xa", "xb", "xc"] { await test.run("place find \(name)") }
        let times = server.requests.map(\.time)
        #expect(times.count == 3)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 > 0.99 })
    }

    @Test func noResultNoNetworkAndNotConfiguredAreThreeMessages() async throws {
        let empty = try LocalServer { _, _ in .json("[]") }
        let none = await (try session(empty)).result("place find Nowhere")
        #expect(none.failure?.code == "E-PLACE-NONE")
        let test = try await session(nil)
        let notConfigured = await test.result("place find Nowhere")
        #expect(notConfigured.failure?.code == "E-PLACE-SERVER")
        // A port without a listener.
        let port = try LocalServer { _, _ in .hangUp }.port
        await test.run("set places.server http://127.0.0.1:\(port)")
        let unreachable = await test.result("place find Nowhere")
        #expect(unreachable.failure?.code == "E-PLACE-NETWORK")
        let messages = [none, notConfigured, unreachable].map { $0.failure?.message }
        #expect(Set(messages).count == 3)
    }

    @Test func whatMayPassIsTriedAgain() async throws {
        let server = try LocalServer { _, before in before < 2 ? .status(503) : .json(Self.answer) }
        #expect(await (try session(server)).run("place find Kramgasse | count") == "1")
        #expect(server.requests.count == 3)
        let hanging = try LocalServer { _, before in before < 1 ? .hangUp : .json(Self.answer) }
        #expect(await (try session(hanging)).run("place find Kramgasse | count") == "1")
    }

    @Test func aServerThatAsksForAPauseGetsIt() async throws {
        let server = try LocalServer { _, before in
            before == 0 ? .status(429, headers: "Retry-After: 2\r\n") : .json(Self.answer)
        }
        #expect(await (try session(server)).run("place find Kramgasse | count") == "1")
        let times = server.requests.map(\.time)
        #expect(times.count == 2 && times[1] - times[0] > 1.9)
    }

    @Test func whatIsRefusedIsNotTriedAgain() async throws {
        let server = try LocalServer { _, _ in .status(403) }
        let result = await (try session(server)).result("place find Kramgasse")
        #expect(result.failure?.code == "E-PLACE-ANSWER")
        #expect(result.failure?.message == "127.0.0.1 refused the request: status 403")
        #expect(server.requests.count == 1)
    }

    @Test func aSilentServerIsGivenUp() async throws {
        let server = try LocalServer { _, _ in .silence }
        let test = try await session(server)
        await test.run("set places.timeout 0.2s")
        let result = await test.result("place find Kramgasse")
        #expect(result.failure?.code == "E-PLACE-NETWORK")
        #expect(result.failure?.message.contains("no response in time") == true)
    }

    @Test(arguments: [
        "", "no json", "{}", "[1]", "[{\"lat\": 5}]", "{\"error\": \"x\"}", "<html></html>",
    ])
    func nonsenseIsToldAndNotKept(body: String) async throws {
        let server = try LocalServer { _, before in before == 0 ? .json(body) : .json(Self.answer) }
        let test = try await session(server)
        #expect(await test.result("place find Kramgasse").failure?.code == "E-PLACE-ANSWER")
        #expect(await test.run("place find Kramgasse | count") == "1")
    }

    @Test func placesOutOfRangeAreLeftOut() async throws {
        let body = """
            [{"lat": "95", "lon": "1", "display_name": "x"}, {"lat": "nan", "lon": "1", "display_name": "y"},
             {"lat": "1", "lon": "2", "display_name": "z, somewhere"}]
            """
        let server = try LocalServer { _, _ in .json(body) }
        #expect(await (try session(server)).shown("place find q | get name") == "z")
    }

    @Test func anAnswerWithoutEndIsNotRead() async throws {
        let server = try LocalServer { _, _ in .bytes(Data(repeating: 0x20, count: 3 << 20)) }
        let result = await (try session(server)).result("place find Kramgasse")
        #expect(result.failure?.code == "E-PLACE-ANSWER")
    }

    @Test(arguments: ["example.org", "ftp://example.org", "http://", "file:///etc/passwd"])
    func anAddressThatIsNoServersIsTold(address: String) async throws {
        let test = try await session(nil)
        await test.run("set places.server \(address)")
        #expect(await test.result("place find Kramgasse").failure?.code == "E-PLACE-ANSWER")
    }

    @Test func severalAnswersAreNotGuessedFrom() async throws {
        let body = """
            [{"lat": "1", "lon": "2", "display_name": "Mill Lane, A"}, {"lat": "3", "lon": "4", "display_name": "Mill Lane, B"}]
            """
        let server = try LocalServer { _, _ in .json(body) }
        let test = try await session(server)
        #expect(await test.result("take 'Mill Lane'").failure?.code == "E-PLACE-AMBIGUOUS")
    }
}
