/// The icons of the page's sections, in a square of 24 units, filled by the even-odd rule; by the section's
/// name in addresses.
enum SectionIcons {
    static let paths: [(name: String, path: String)] = [
        // A prompt.
        ("commands", "M3 6l2-2 8 8-8 8-2-2 6-6ZM13 17h8v3h-8Z"),
        // Two people.
        (
            "community",
            "M8 3a4 4 0 1 0 .01 0ZM1 21v-4a7 6 0 0 1 14 0v4ZM17 5a3 3 0 1 0 .01 0ZM16 12a6 5 0 0 1 7 5v4h-6v-4a8 8 0 0 0-1-5Z"
        ),
        // Two summits.
        ("hikes", "M1 20 9 5l5 9 2-3 7 9Z"),
        // A folded sheet.
        ("map", "M2 5l6-2v16l-6 2ZM9 3l6 2v16l-6-2ZM16 5l6-2v16l-6 2Z"),
        ("more", "M3 10h4v4H3ZM10 10h4v4h-4ZM17 10h4v4h-4Z"),
        // A page with lines.
        ("notebooks", "M4 2h16v20H4ZM7 6h10v2H7ZM7 11h10v2H7ZM7 16h6v2H7Z"),
        // A square of the map.
        ("regions", "M2 2h6v2H4v4H2ZM16 2h6v6h-2V4h-4ZM2 16h2v4h4v2H2ZM20 16h2v6h-6v-2h4ZM7 7h10v10H7Z"),
        // From one point to another.
        (
            "routes",
            "M5 14a4 4 0 1 0 .01 0ZM19 2a4 4 0 1 0 .01 0ZM10 17h5a3 3 0 0 0 3-3v-3h2v3a5 5 0 0 1-5 5h-5Z"
        ),
        // Stairs.
        ("steps", "M2 22v-5h5v-5h5V7h5V2h5v20Z"),
        // A bus from the front.
        ("stops", "M4 3h16v15H4ZM6 6v5h12V6ZM6 13v3h3v-3ZM15 13v3h3v-3ZM5 19h4v3H5ZM15 19h4v3h-4Z"),
        // Rows.
        ("stores", "M3 3h18v5H3ZM3 10h18v5H3ZM3 17h18v5H3ZM5 5h2v1H5ZM5 12h2v1H5ZM5 19h2v1H5Z"),
        // Two opposite arrows.
        ("sync", "M2 5h12V1l7 7H2ZM22 19H10v4l-7-7h19Z"),
        ("walk", "M6 3v18l15-9Z"),
        // A pin.
        ("waypoints", "M12 1a8 8 0 0 1 7 12l-7 10-7-10a8 8 0 0 1 7-12ZM12 6a3 3 0 1 0 .01 0Z"),
    ]
}
