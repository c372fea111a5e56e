/// The icons as data: name, outline on a grid of 24, character for a terminal, ASCII character.
///
/// One row per icon; a new icon requires nothing else. Characters are one cell wide in terminals and drawn as
/// text, not as emoji. The last five are the means of transport.
enum IconTable {
    struct Row: Sendable {
        let name: String
        let symbol: Character
        let ascii: Character
        let path: String
    }

    static let rows: [Row] = [
        Row(
            name: "signpost.right", symbol: "➤", ascii: ">",
            path: """
                M 10.5 1.5 H 13.5 V 4.5 H 10.5 Z M 3.5 5 H 16.5 L 21.5 9.5 L 16.5 14 H 3.5 Z M 10.5 \
                14.5 H 13.5 V 22.5 H 10.5 Z
                """),
        Row(
            name: "eye", symbol: "◉", ascii: "o",
            path: """
                M 0.5 12 C 4 6.2 8 4 12 4 C 16 4 20 6.2 23.5 12 C 20 17.8 16 20 12 20 C 8 20 4 17.8 \
                0.5 12 Z M 17.2 12 C 17.2 14.87 14.87 17.2 12 17.2 C 9.13 17.2 6.8 14.87 6.8 12 C \
                6.8 9.13 9.13 6.8 12 6.8 C 14.87 6.8 17.2 9.13 17.2 12 Z M 14.6 12 C 14.6 13.44 \
                13.44 14.6 12 14.6 C 10.56 14.6 9.4 13.44 9.4 12 C 9.4 10.56 10.56 9.4 12 9.4 C \
                13.44 9.4 14.6 10.56 14.6 12 Z
                """),
        Row(
            name: "drop.fill", symbol: "≋", ascii: "~",
            path: """
                M 12 1 C 12 1 4.5 10.2 4.5 15 C 4.5 19.3 7.9 22.5 12 22.5 C 16.1 22.5 19.5 19.3 19.5 \
                15 C 19.5 10.2 12 1 12 1 Z
                """),
        Row(
            name: "tent", symbol: "∆", ascii: "^",
            path: "M 12 3 L 23.5 21 H 0.5 Z M 12 11.5 L 7 21 H 17 Z"),
        Row(
            name: "exclamationmark.triangle", symbol: "!", ascii: "!",
            path: """
                M 12 1.5 L 23.5 21.5 H 0.5 Z M 10.6 8 H 13.4 L 12.9 15 H 11.1 Z M 10.7 16.6 H 13.3 V \
                19.2 H 10.7 Z
                """),
        Row(
            name: "fork.knife", symbol: "Ψ", ascii: "Y",
            path: """
                M 4 1.5 H 5.6 V 8 H 7.2 V 1.5 H 8.8 V 8 H 10.4 V 1.5 H 12 V 9.5 C 12 11.2 11 12.4 \
                9.4 12.8 V 22.5 H 6.6 V 12.8 C 5 12.4 4 11.2 4 9.5 Z M 19 1.5 V 22.5 H 16.4 V 14 H \
                14.4 V 8 C 14.4 4.5 16.4 1.8 19 1.5 Z
                """),
        Row(
            name: "house", symbol: "⌂", ascii: "H",
            path: "M 12 1.5 L 23.5 12 H 20.5 V 21.5 H 14.5 V 14.5 H 9.5 V 21.5 H 3.5 V 12 H 0.5 Z"),
        Row(
            name: "car", symbol: "P", ascii: "P",
            path: """
                M 6.5 4 H 17.5 L 20 10.5 C 21.8 10.8 22.5 11.8 22.5 13.5 V 21 H 18.8 V 18.5 H 5.2 V \
                21 H 1.5 V 13.5 C 1.5 11.8 2.2 10.8 4 10.5 Z M 8.2 6.2 H 15.8 L 17.4 10.4 H 6.6 Z M \
                7.5 14.4 C 7.5 15.23 6.83 15.9 6 15.9 C 5.17 15.9 4.5 15.23 4.5 14.4 C 4.5 13.57 \
                5.17 12.9 6 12.9 C 6.83 12.9 7.5 13.57 7.5 14.4 Z M 19.5 14.4 C 19.5 15.23 18.83 \
                15.9 18 15.9 C 17.17 15.9 16.5 15.23 16.5 14.4 C 16.5 13.57 17.17 12.9 18 12.9 C \
                18.83 12.9 19.5 13.57 19.5 14.4 Z
                """),
        Row(
            name: "mappin", symbol: "◆", ascii: "*",
            path: """
                M 17.7 7.2 C 17.7 10.35 15.15 12.9 12 12.9 C 8.85 12.9 6.3 10.35 6.3 7.2 C 6.3 4.05 \
                8.85 1.5 12 1.5 C 15.15 1.5 17.7 4.05 17.7 7.2 Z M 10.9 12.6 H 13.1 V 20.5 L 12 23 L \
                10.9 20.5 Z
                """),
        Row(
            name: "train.side.front.car", symbol: "T", ascii: "T",
            path: """
                M 1 6 H 13 C 19 6 23 10.5 23 14.5 C 23 16 22 17 20.5 17 H 1 Z M 3 8.2 H 7 V 11.8 H 3 \
                Z M 9 8.2 H 13 V 11.8 H 9 Z M 15 8.6 C 17 9.2 18.6 10.4 19.4 11.8 H 15 Z M 1 18.5 H \
                22 V 20.3 H 1 Z
                """),
        Row(
            name: "bus.fill", symbol: "B", ascii: "B",
            path: """
                M 5 2 H 19 C 20.5 2 21.5 3 21.5 4.5 V 19 H 19.5 V 22 H 16.5 V 19 H 7.5 V 22 H 4.5 V \
                19 H 2.5 V 4.5 C 2.5 3 3.5 2 5 2 Z M 5 4.8 H 19 V 11.5 H 5 Z M 8.2 15.2 C 8.2 16.03 \
                7.53 16.7 6.7 16.7 C 5.87 16.7 5.2 16.03 5.2 15.2 C 5.2 14.37 5.87 13.7 6.7 13.7 C \
                7.53 13.7 8.2 14.37 8.2 15.2 Z M 18.8 15.2 C 18.8 16.03 18.13 16.7 17.3 16.7 C 16.47 \
                16.7 15.8 16.03 15.8 15.2 C 15.8 14.37 16.47 13.7 17.3 13.7 C 18.13 13.7 18.8 14.37 \
                18.8 15.2 Z
                """),
        Row(
            name: "ferry.fill", symbol: "F", ascii: "F",
            path: """
                M 9 1.5 H 15 V 4.5 H 18.5 V 9.5 L 22 11 L 19 18.5 C 17.5 18.5 16.5 17.3 15.5 17.3 C \
                14 17.3 13.5 18.5 12 18.5 C 10.5 18.5 10 17.3 8.5 17.3 C 7.5 17.3 6.5 18.5 5 18.5 L \
                2 11 L 5.5 9.5 V 4.5 H 9 Z M 7.7 6.6 H 16.3 V 8.6 L 12 6.9 L 7.7 8.6 Z M 1 20.3 H 23 \
                V 22.3 H 1 Z
                """),
        Row(
            name: "tram.fill", symbol: "t", ascii: "t",
            path: """
                M 11 0.5 H 13 V 3 H 17 C 19 3 20 4 20 6 V 16 C 20 17.8 19 18.8 17 18.8 L 19.5 22.5 H \
                16.8 L 14.4 18.8 H 9.6 L 7.2 22.5 H 4.5 L 7 18.8 C 5 18.8 4 17.8 4 16 V 6 C 4 4 5 3 \
                7 3 H 11 Z M 6.4 6 H 17.6 V 12 H 6.4 Z M 9.6 15.4 C 9.6 16.17 8.97 16.8 8.2 16.8 C \
                7.43 16.8 6.8 16.17 6.8 15.4 C 6.8 14.63 7.43 14 8.2 14 C 8.97 14 9.6 14.63 9.6 15.4 \
                Z M 17.2 15.4 C 17.2 16.17 16.57 16.8 15.8 16.8 C 15.03 16.8 14.4 16.17 14.4 15.4 C \
                14.4 14.63 15.03 14 15.8 14 C 16.57 14 17.2 14.63 17.2 15.4 Z
                """),
        Row(
            name: "lightrail.fill", symbol: "M", ascii: "M",
            path: """
                M 2 20 V 4 H 6 L 12 13.5 L 18 4 H 22 V 20 H 18.3 V 10 L 12.9 18.5 H 11.1 L 5.7 10 V \
                20 Z
                """),
    ]
}
