extension PlaceCategories {
    /// Words for one kind of place; they come before those of the broader categories: a bakery is no supermarket.
    static let specific: [Category] = [
        Category(
            "drinking-water",
            ["drinking_water", "water_point", "water_tap", "drinking_fountain", "waterSource"],
            "drinking water,drinking fountain,drinking fountains,water tap,water taps,tap,taps,trinkwasser,trinkbrunnen,wasserhahn,"
                + "eau potable,acqua potabile,agua potable,aigua potable"),
        Category(
            "fountain", ["fountain", "undrinkable fountain", "drinking_water", "drinking_fountain"],
            "fountain,fountains,brunnen,fontaine,fontaines,fontana,fontane,fuente,fuentes,font,fonts"),
        Category(
            "spring", ["spring", "undrinkable spring"],
            "spring,springs,quelle,quellen,source,sources,sorgente,sorgenti,manantial,manantiales,deu,deus"),
        Category(
            "well", ["water_well", "undrinkable water_well"],
            "well,wells,water well,ziehbrunnen,puits,pozzo,pozzi,pozo,pozos,pou,pous"),
        Category(
            "shelter",
            [
                "shelter", "basic_hut", "wilderness_hut", "lean_to", "alpine_hut", "gazebo", "picnic_shelter",
                "rock_shelter", "bus shelter",
            ],
            "shelter,shelters,unterstand,unterstände,abri,abris,bivacco,bivacchi,refugio libre,aixopluc"
        ),
        Category(
            "bakery", ["bakery", "pastry"],
            "bakery,bakeries,baker,bakers,bäckerei,bäckereien,bäcker,boulangerie,boulangeries,panetteria,panetterie,panificio,"
                + "panadería,panaderías,forn,forns,fleca,fleques"),
        Category(
            "butcher", ["butcher"],
            "butcher,butchers,metzgerei,metzgereien,metzger,fleischerei,boucherie,boucheries,macelleria,macellerie,carnicería,"
                + "carnicerías,carnisseria,carnisseries"),
        Category(
            "supermarket", ["supermarket"],
            "supermarket,supermarkets,supermarkt,supermärkte,supermarché,supermarchés,supermercato,supermercati,supermercado,"
                + "supermercados,supermercat,supermercats"),
        Category(
            "greengrocer", ["greengrocer"],
            "greengrocer,greengrocers,gemüseladen,fruttivendolo,frutería,fruiteria"),
        Category(
            "pharmacy", ["pharmacy"],
            "pharmacy,pharmacies,chemist,chemists,apotheke,apotheken,pharmacie,farmacia,farmacie,farmacias,farmàcia,farmàcies"
        ),
        Category(
            "hospital", ["hospital"],
            "hospital,hospitals,emergency,emergency room,spital,spitäler,krankenhaus,krankenhäuser,notaufnahme,hôpital,hôpitaux,"
                + "ospedale,ospedali,hospitales"),
        Category(
            "mosque", ["mosque"],
            "mosque,mosques,moschee,moscheen,mosquée,mosquées,moschea,moschee,mezquita,mezquitas,mesquita"),
        Category(
            "synagogue", ["synagogue"],
            "synagogue,synagogues,synagoge,synagogen,sinagoga,sinagoghe,sinagogas,sinagogues"),
        Category(
            "temple", ["temple", "shrine"], "temple,temples,shrine,shrines,tempel,tempio,templi,templo"),
        Category(
            "place-of-worship",
            [
                "place_of_worship", "church", "chapel", "cathedral", "monastery", "mosque", "synagogue",
                "temple", "shrine",
            ],
            "place of worship,places of worship,gotteshaus,gotteshäuser,lieu de culte,luogo di culto"),
        Category(
            "doctor", ["doctors", "clinic"],
            "doctor,doctors,clinic,clinics,arzt,ärzte,médecin,médecins,medico,medici,médico,médicos,metge,metges"
        ),
        Category(
            "restaurant", ["restaurant", "food_court", "biergarten"],
            "restaurant,restaurants,gaststätte,gaststätten,wirtshaus,wirtshäuser,ristorante,ristoranti,restaurante,restaurantes"
        ),
        Category(
            "cafe", ["cafe"], "cafe,cafes,café,cafés,coffee,coffee shop,kaffee,caffè,cafetería,cafeteria"),
        Category("pub", ["pub", "bar", "biergarten"], "pub,pubs,bar,bars,kneipe,kneipen,bares"),
        Category("fast-food", ["fast_food"], "fast food,takeaway,imbiss,comida rápida"),
        Category(
            "hostel", ["hostel"],
            "hostel,hostels,youth hostel,youth hostels,jugendherberge,jugendherbergen,auberge de jeunesse,ostello,ostelli,albergue,"
                + "albergues,alberg,albergs"),
        Category(
            "guest-house", ["guest_house"], "guest house,guest houses,gasthaus,gasthäuser,pension,pensionen"),
        Category(
            "bus-stop", ["bus_stop", "bus stop", "bus_station"],
            "bus stop,bus stops,bushaltestelle,bushaltestellen,arrêt de bus,fermata dell autobus,parada de bus,parada d autobús"
        ),
        Category(
            "bus-station", ["bus_station", "bus station"],
            "bus station,bus stations,busbahnhof,busbahnhöfe,gare routière,autostazione,estación de autobuses,"
                + "estació d autobusos"),
        Category(
            "tram-stop", ["tram_stop", "tram stop"], "tram stop,tram stops,tramhaltestelle,arrêt de tram"),
        Category(
            "cable-car", ["cable car station"],
            "cable car,cable cars,gondola,chair lift,chairlift,seilbahn,seilbahnen,gondelbahn,sessellift,téléphérique,télésiège,"
                + "funivia,seggiovia,teleférico,telefèric"),
        Category(
            "ferry", ["ferry_terminal"], "ferry,ferries,ferry terminal,fähre,fähren,traghetto,transbordador"),
        Category(
            "atm", ["atm", "bank"],
            "atm,atms,cash machine,cash point,geldautomat,geldautomaten,bancomat,bankomat,cajero,caixer"),
        Category(
            "bank", ["bank", "bank without ATM"], "bank,banks,banken,banque,banques,banca,banche,banco,bancos"
        ),
        Category(
            "fuel", ["fuel"],
            "fuel,petrol,petrol station,gas station,gas stations,tankstelle,tankstellen,station service,gasolinera"
        ),
        Category(
            "charging", ["charging_station"],
            "charging station,charging stations,charging point,ev charger,ev charging,car charger,ladestation,ladestationen,borne de recharge"
        ),
        Category(
            "post", ["post_office", "post_box"],
            "post office,post offices,post box,postbox,mailbox,mail box,letter box,postamt,briefkasten,correos"
        ),
        Category("police", ["police"], "police,police station,polizei,polizia,policía,policia"),
        Category(
            "picnic", ["picnic_site", "picnic_table"],
            "picnic,picnic site,picnic sites,picknickplatz,aire de pique nique"),
        Category(
            "waterfall", ["waterfall"],
            "waterfall,waterfalls,wasserfall,wasserfälle,cascade,cascades,cascata,cascate,cascada,cascadas"),
        Category(
            "cave", ["cave_entrance"], "cave,caves,höhle,höhlen,grotte,grottes,grotta,cueva,cuevas,cova,coves"
        ),
        Category(
            "defibrillator", ["defibrillator"],
            "defibrillator,defibrillators,aed,défibrillateur,defibrillatore,desfibrilador"),
        Category(
            "shower", ["shower"],
            "shower,showers,dusche,duschen,douche,douches,doccia,docce,ducha,duchas,dutxa,dutxes"),
        Category(
            "playground", ["playground"],
            "playground,playgrounds,spielplatz,spielplätze,aire de jeux,parco giochi"),
        Category(
            "guidepost", ["guidepost"],
            "guidepost,guideposts,signpost,signposts,wegweiser,poteau indicateur,segnavia,poste indicador"),
        Category(
            "tourist-office", ["tourist office"],
            "tourist office,tourist information,visitor centre,visitor center,touristeninformation,tourismusbüro,office de tourisme,"
                + "ufficio turistico,oficina de turismo,oficina de turisme"),
        Category("museum", ["museum"], "museum,museums,museen,musée,musées,museo,musei,museos,museu,museus"),
        // Their number is their name: `exit 12`.
        Category(
            "exit", ["motorway_junction", "subway_entrance", "train_station_entrance"],
            "exit,exits,motorway exit,highway exit,junction,autobahnausfahrt,ausfahrt,anschlussstelle,ausgang,sortie,uscita,salida,"
                + "sortida"),
        Category("bicycle-shop", ["bicycle"], "bicycle shop,bike shop,bike shops,fahrradladen,velogeschäft"),
    ]
}
