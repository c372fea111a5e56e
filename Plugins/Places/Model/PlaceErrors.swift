import PluginKit

/// Kinds of error of place search.
enum PlaceErrors {
    static let none = ErrorKind(
        "E-PLACE-NONE", "no place has this name",
        explanation: """
            Neither the names known here (regions, stops, waypoints, beacons) nor the geocoding server, where one is \
            configured, have such a place. Try fewer or other words, or write LAT,LON.
            """)
    static let notConfigured = ErrorKind(
        "E-PLACE-SERVER", "no geocoding server is configured",
        explanation: """
            No name known here matches, and addresses are looked up by a server only where one is configured: \
            `set places.server https://HOST` with the address of a Nominatim-compatible server. Names of a region are \
            known after `region import`.
            """)
    static let network = ErrorKind(
        "E-PLACE-NETWORK", "the geocoding server cannot be reached",
        explanation: """
            There is no network, the server does not answer in time, or a notebook may not use the network \
            (--allow-network). It was tried again before giving up. Names known here are found without a network.
            """)
    static let answer = ErrorKind(
        "E-PLACE-ANSWER", "the geocoding server's answer cannot be used",
        explanation: """
            The server refused, or answered with something else than the JSON of a Nominatim-compatible /search. Check the \
            setting places.server, and the server's rules of use.
            """)
    static let ambiguous = ErrorKind(
        "E-PLACE-AMBIGUOUS", "several places have this name",
        explanation: """
            Nothing is guessed: add a word, take the coordinate of the one that is meant, or choose with `place search`.
            """)
    static let text = ErrorKind(
        "E-PLACE-TEXT", "there is no word to search for",
        explanation: "A search needs at least one letter or digit.")

    static let all = [none, notConfigured, network, answer, ambiguous, text]
}
