import Fetching
import Formats
import Foundation
import Geodesy
import PluginKit

/// Queries a Nominatim-compatible server: `GET /search?q=…&format=jsonv2`.
///
/// As the usage policy of public servers requires: at most one request a second, a user agent that names the program,
/// cached responses, and no request per keystroke.
struct Geocoder {
    let context: Context

    /// The server's address; `nil` when none is configured.
    var server: String? {
        guard case .text(let text)? = context.settings["places.server"] else { return nil }
        let trimmed = text.trimmingCharacters(in: .whitespaces)
        return trimmed.isEmpty ? nil : trimmed
    }

    /// The server's matches, best first; throws an error of `PlaceErrors`.
    func search(_ text: String, query: PlaceQuery) async throws -> [PlaceObject] {
        guard let server else {
            throw PlaceErrors.notConfigured(
                "no geocoding server is configured", fix: "set places.server https://HOST")
        }
        guard context.files.allowsNetwork else {
            throw PlaceErrors.network(
                "this notebook may not use the network, and no local name matches `\(text)`",
                fix: "--allow-network")
        }
        let url = try address(server, text, query)
        let host = URLComponents(string: url)?.host ?? server
        let cache = try GeocodingCache(context)
        let now = context.clock.now
        if let known = try cache.answer(to: url, at: now) {
            return try NominatimAnswer.places(in: known, host: host, query: query)
        }
        let data = try await ask(url, host)
        let places = try NominatimAnswer.places(in: data, host: host, query: query)
        // Only a readable response is cached.
        try cache.keep(data, for: url, at: now)
        return places
    }

    private func ask(_ url: String, _ host: String) async throws -> Data {
        var timeout = 10.0
        if case .quantity(let quantity)? = context.settings["places.timeout"] { timeout = quantity.value }
        var language = "en"
        if case .text(let text)? = context.settings["places.language"] { language = text }
        try NativeLibrary.http.require()
        do {
            try await RequestLimiter(context).wait()
            return try await HTTPClient(
                timeout: timeout, language: language, longest: PlaceSettings.longestAnswer
            ).get(url)
        } catch let failure as HTTPClient.Failure {
            switch failure {
            case .unreachable(let why):
                throw PlaceErrors.network("\(host) cannot be reached: \(why)", fix: "check the network")
            case .refused(let code):
                throw PlaceErrors.answer(
                    "\(host) refused the request: status \(code)", fix: "check places.server")
            case .unusable(let why): throw PlaceErrors.answer("\(host): \(why)", fix: "check places.server")
            }
        }
    }

    private func address(_ server: String, _ text: String, _ query: PlaceQuery) throws -> String {
        guard var parts = URLComponents(string: server), let scheme = parts.scheme?.lowercased(),
            scheme == "http" || scheme == "https", parts.host?.isEmpty == false
        else {
            throw PlaceErrors.answer(
                "invalid server URL `\(server)`", fix: "set places.server https://HOST")
        }
        var path = parts.path
        while path.hasSuffix("/") { path.removeLast() }
        parts.path = path.hasSuffix("/search") ? path : path + "/search"
        var items = [
            URLQueryItem(name: "q", value: text), URLQueryItem(name: "format", value: "jsonv2"),
            URLQueryItem(name: "limit", value: "\(PlaceSettings.answers)"),
        ]
        if let near = query.near {
            // Nominatim prefers results in the box: x1,y1,x2,y2.
            let box = BoundingBox(center: near, radius: query.radius ?? Self.hintRadius)
            let edges = [box.west, box.south, box.east, box.north].map {
                DecimalText.trimmed($0, decimals: 4)
            }
            items.append(URLQueryItem(name: "viewbox", value: edges.joined(separator: ",")))
            if query.radius != nil { items.append(URLQueryItem(name: "bounded", value: "1")) }
        }
        parts.queryItems = items
        // Servers that parse forms decode a plus sign as a space.
        parts.percentEncodedQuery = parts.percentEncodedQuery?.replacingOccurrences(of: "+", with: "%2B")
        guard let url = parts.string else {
            throw PlaceErrors.answer("invalid server URL `\(server)`")
        }
        return url
    }

    /// Metres around `--near` that the server prefers.
    private static let hintRadius = 25_000.0
}

/// The JSON of Nominatim's /search.
enum NominatimAnswer {
    static func places(in data: Data, host: String, query: PlaceQuery) throws -> [PlaceObject] {
        do {
            return try JSONTree.read(data) { tree in
                try tree.map { (item) throws(JSONFault) in try place(item, host: host, query: query) }
            }.compactMap { $0 }
        } catch let fault as JSONFault {
            throw PlaceErrors.answer(
                "\(host) did not return a list of places: \(fault)",
                fix: "check places.server")
        }
    }

    /// One result; `nil` without a valid coordinate, or beyond the radius.
    private static func place(
        _ item: JSONTree, host: String, query: PlaceQuery
    ) throws(JSONFault) -> PlaceObject? {
        let address: String = try item.read("display_name")
        let name: String? = try item.readIfPresent("name")
        let type: String? = try item.readIfPresent("type")
        let category: String? = try item.readIfPresent("category")
        let importance: Double? = try item.readIfPresent("importance")
        guard let latitude = Double(try item.read("lat", as: String.self)),
            let longitude = Double(try item.read("lon", as: String.self))
        else { return nil }
        let coordinate = Coordinate(latitude: latitude, longitude: longitude)
        guard coordinate.isValid else { return nil }
        let distance = query.near.map { $0.distance(to: coordinate) }
        if let radius = query.radius, let distance, distance > radius { return nil }
        let first = address.split(separator: ",").first.map(String.init) ?? address
        let place = NamedPlace(
            name: name.flatMap { $0.isEmpty ? nil : $0 } ?? first, kind: type ?? category ?? "place",
            source: host, coordinate: coordinate, rank: 5)
        let quality = PlaceMatch.Quality(score: max(0, min(1, importance ?? 0)), manner: .words)
        return PlaceObject(
            PlaceMatch(place: place, quality: quality, distance: distance), address: address)
    }
}
