from boardwright.cli import main

main()
