"""`python -m appliance` is `kortstalis`."""

import sys

from appliance.cli import main

sys.exit(main())
