import PluginKit

/// Kinds of error of place search.
enum PlaceErrors {
    static let none = ErrorKind(
        "E-PLACE-NONE", "no matching place",
        explanation: """
            Neither the local names (regions, stops, waypoints, beacons) nor the geocoding server, if configured, have a \
            match. Try fewer or other words, or write LAT,LON.
            """)
    static let notConfigured = ErrorKind(
        "E-PLACE-SERVER", "no geocoding server is configured",
        explanation: """
            No local name matches, and addresses are looked up only by a configured server: `set places.server \
            https://HOST` with the address of a Nominatim-compatible server. `region import` adds the names of a region.
            """)
    static let network = ErrorKind(
        "E-PLACE-NETWORK", "the geocoding server cannot be reached",
        explanation: """
            There is no network, the server does not respond in time, or a notebook may not use the network \
            (--allow-network). The request was retried. Local names are found without a network.
            """)
    static let answer = ErrorKind(
        "E-PLACE-ANSWER", "unusable response of the geocoding server",
        explanation: """
            The server refused, or its response is not the JSON of a Nominatim-compatible /search. Check the setting \
            places.server, and the usage policy of the server.
            """)
    static let ambiguous = ErrorKind(
        "E-PLACE-AMBIGUOUS", "ambiguous place name",
        explanation: """
            Several places match: add a word, write the coordinate, or choose with `place search`.
            """)
    static let text = ErrorKind(
        "E-PLACE-TEXT", "no word to search for",
        explanation: "A search requires at least one letter or digit.")

    static let all = [none, notConfigured, network, answer, ambiguous, text]
}
