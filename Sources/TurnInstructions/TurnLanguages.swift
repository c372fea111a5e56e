import Geodesy

extension TurnLanguage {
    /// English.
    public static let english = TurnLanguage(
        code: "en", name: "English",
        verbs: [
            .start: "Head", .straight: "Continue straight", .slightLeft: "Bear left", .left: "Turn left",
            .sharpLeft: "Sharp left", .slightRight: "Bear right", .right: "Turn right",
            .sharpRight: "Sharp right", .uTurn: "U-turn", .arrive: "Arrive",
        ],
        keep: [.left: "Keep left", .right: "Keep right"],
        uTurnLeft: "U-turn to the left", uTurnRight: "U-turn to the right",
        then: ", then {next}", short: [.left: "left", .right: "right"], onto: "{verb} onto {way}",
        stay: "{verb} to stay on {way}",
        kinds: [
            .path: "onto the path", .track: "onto the track", .road: "onto the road",
            .steps: "onto the steps",
            .ferry: "onto the ferry", .lift: "into the lift", .platform: "onto the platform",
            .corridor: "along the corridor",
        ],
        ways: [
            .path: "the path", .track: "the track", .road: "the road", .steps: "the steps",
            .platform: "the platform", .corridor: "the corridor",
        ],
        stepsUp: "up the steps", stepsDown: "down the steps", unnamed: "onto the unnamed way",
        start: "Head {compass}", startOn: "Head {compass} on {way}", arrive: "Arrive",
        compass: ["north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"],
        fork: "at the fork", endOf: "at the end of {way}", theWay: "the way",
        roundabout: "at the roundabout, {ordinal} exit",
        ordinals: ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"],
        furtherOrdinal: "{number}th", cross: "Cross {way}", theRoad: "the road", via: "Via {number} reached",
        viaNamed: "Via {number} reached: {name}", takeLift: "Take the lift", waymarks: .english,
        follow: "follow {trail}", leave: "leave {trail}")

    /// German.
    public static let german = TurnLanguage(
        code: "de", name: "German",
        verbs: [
            .start: "Los", .straight: "Geradeaus weiter", .slightLeft: "Leicht links halten",
            .left: "Links abbiegen", .sharpLeft: "Scharf links abbiegen",
            .slightRight: "Leicht rechts halten",
            .right: "Rechts abbiegen", .sharpRight: "Scharf rechts abbiegen", .uTurn: "Umkehren",
            .arrive: "Ziel erreicht",
        ],
        keep: [.left: "Links halten", .right: "Rechts halten"],
        uTurnLeft: "Nach links umkehren", uTurnRight: "Nach rechts umkehren",
        then: ", dann {next}", short: [.left: "links", .right: "rechts"], onto: "{verb} auf {way}",
        stay: "{verb}, weiter auf {way}",
        kinds: [
            .path: "auf den Weg", .track: "auf den Feldweg", .road: "auf die Straße",
            .steps: "auf die Treppe",
            .ferry: "auf die Fähre", .lift: "in den Aufzug", .platform: "auf den Bahnsteig",
            .corridor: "in den Gang",
        ],
        ways: [
            .path: "dem Weg", .track: "dem Feldweg", .road: "der Straße", .steps: "der Treppe",
            .platform: "dem Bahnsteig", .corridor: "dem Gang",
        ],
        stepsUp: "die Treppe hinauf", stepsDown: "die Treppe hinunter", unnamed: "auf den namenlosen Weg",
        start: "Nach {compass} losgehen", startOn: "Nach {compass} losgehen auf {way}",
        arrive: "Ziel erreicht",
        compass: ["Norden", "Nordosten", "Osten", "Südosten", "Süden", "Südwesten", "Westen", "Nordwesten"],
        fork: "an der Gabelung", endOf: "am Ende von {way}", theWay: "diesem Weg",
        roundabout: "am Kreisverkehr, {ordinal} Ausfahrt",
        ordinals: ["erste", "zweite", "dritte", "vierte", "fünfte", "sechste", "siebte", "achte"],
        furtherOrdinal: "{number}.", cross: "{way} überqueren", theRoad: "Straße",
        via: "Zwischenziel {number} erreicht", viaNamed: "Zwischenziel {number} erreicht: {name}",
        takeLift: "Den Aufzug nehmen", waymarks: .german,
        follow: "{trail} folgen", leave: "{trail} verlassen")

    /// French.
    public static let french = TurnLanguage(
        code: "fr", name: "French",
        verbs: [
            .start: "Partez", .straight: "Continuez tout droit", .slightLeft: "Serrez à gauche",
            .left: "Tournez à gauche", .sharpLeft: "Tournez franchement à gauche",
            .slightRight: "Serrez à droite", .right: "Tournez à droite",
            .sharpRight: "Tournez franchement à droite", .uTurn: "Faites demi-tour",
            .arrive: "Vous êtes arrivé",
        ],
        keep: [.left: "Restez à gauche", .right: "Restez à droite"],
        uTurnLeft: "Faites demi-tour par la gauche", uTurnRight: "Faites demi-tour par la droite",
        then: ", puis {next}", short: [.left: "à gauche", .right: "à droite"], onto: "{verb} sur {way}",
        stay: "{verb} en restant sur {way}",
        kinds: [
            .path: "sur le sentier", .track: "sur le chemin", .road: "sur la route",
            .steps: "sur les escaliers", .ferry: "sur le ferry", .lift: "dans l’ascenseur",
            .platform: "sur le quai", .corridor: "dans le couloir",
        ],
        ways: [
            .path: "le sentier", .track: "le chemin", .road: "la route", .steps: "les escaliers",
            .platform: "le quai", .corridor: "le couloir",
        ],
        stepsUp: "en montant les escaliers", stepsDown: "en descendant les escaliers",
        unnamed: "sur la voie sans nom", start: "Partez vers {compass}",
        startOn: "Partez vers {compass} sur {way}",
        arrive: "Vous êtes arrivé",
        compass: [
            "le nord", "le nord-est", "l’est", "le sud-est", "le sud", "le sud-ouest", "l’ouest",
            "le nord-ouest",
        ],
        fork: "à la bifurcation", endOf: "au bout de {way}", theWay: "la voie",
        roundabout: "au rond-point, {ordinal} sortie",
        ordinals: [
            "première", "deuxième", "troisième", "quatrième", "cinquième", "sixième", "septième", "huitième",
        ], furtherOrdinal: "{number}e", cross: "Traversez {way}", theRoad: "la route",
        via: "Étape {number} atteinte", viaNamed: "Étape {number} atteinte : {name}",
        takeLift: "Prenez l’ascenseur", waymarks: .french,
        follow: "suivez {trail}",
        leave: "quittez {trail}")

    /// Spanish.
    public static let spanish = TurnLanguage(
        code: "es", name: "Spanish",
        verbs: [
            .start: "Salga", .straight: "Siga recto", .slightLeft: "Manténgase a la izquierda",
            .left: "Gire a la izquierda", .sharpLeft: "Gire cerrado a la izquierda",
            .slightRight: "Manténgase a la derecha", .right: "Gire a la derecha",
            .sharpRight: "Gire cerrado a la derecha", .uTurn: "Dé la vuelta", .arrive: "Ha llegado",
        ],
        keep: [.left: "Siga por la izquierda", .right: "Siga por la derecha"],
        uTurnLeft: "Dé la vuelta por la izquierda", uTurnRight: "Dé la vuelta por la derecha",
        then: ", luego {next}", short: [.left: "a la izquierda", .right: "a la derecha"],
        onto: "{verb} por {way}", stay: "{verb} sin dejar {way}",
        kinds: [
            .path: "por el sendero", .track: "por la pista", .road: "por la carretera",
            .steps: "por las escaleras", .ferry: "en el ferry", .lift: "en el ascensor",
            .platform: "por el andén", .corridor: "por el pasillo",
        ],
        ways: [
            .path: "el sendero", .track: "la pista", .road: "la carretera", .steps: "las escaleras",
            .platform: "el andén", .corridor: "el pasillo",
        ],
        stepsUp: "subiendo las escaleras", stepsDown: "bajando las escaleras",
        unnamed: "por la vía sin nombre",
        start: "Salga hacia {compass}", startOn: "Salga hacia {compass} por {way}", arrive: "Ha llegado",
        compass: [
            "el norte", "el noreste", "el este", "el sureste", "el sur", "el suroeste", "el oeste",
            "el noroeste",
        ],
        fork: "en la bifurcación", endOf: "al final de {way}", theWay: "la vía",
        roundabout: "en la rotonda, {ordinal} salida",
        ordinals: ["primera", "segunda", "tercera", "cuarta", "quinta", "sexta", "séptima", "octava"],
        furtherOrdinal: "{number}.ª", cross: "Cruce {way}", theRoad: "la carretera",
        via: "Punto {number} alcanzado", viaNamed: "Punto {number} alcanzado: {name}",
        takeLift: "Tome el ascensor", waymarks: .spanish,
        follow: "siga {trail}",
        leave: "deje {trail}")
}
